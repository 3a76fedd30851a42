import type { StyleName } from './styles.js';

type Submitted = 'Card' | 'OneClickCard' | 'DirectDebit' | 'OnlineTransfer' | 'VirtualAccount';
type BeforeSubmitHooks = { readonly [S in Submitted as `onBeforeSubmit${S}`]?: (event: unknown) => unknown };

/** Hooks that are called before a form is sent. */
export type BeforeSubmit = keyof BeforeSubmitHooks;

/** Hooks of a shop; what they get stands on the page of the widget in `gateway/docs`. */
export interface Callbacks extends BeforeSubmitHooks {
  readonly onReady?: (containers: readonly unknown[]) => void;
  readonly onReadyIframeCommunication?: () => void;
  readonly onBeforeSubmitCardPromise?: (event: unknown) => PromiseLike<unknown>;
  readonly onAfterSubmit?: (event: unknown) => void;
  readonly onSaveTransactionData?: (data: unknown) => void;
  readonly onChangeBrand?: (brand: string) => void;
  readonly onDetectBrand?: (brands: readonly string[], likeliest: string | null) => void;
  readonly onDetectBin?: (bin: string) => void;
  readonly onBlurCardNumber?: (isValid: boolean) => void;
  readonly onBlurCardHolder?: (isValid: boolean) => void;
  readonly onBlurSecurityCode?: (isValid: boolean) => void;
  readonly onLoadThreeDIframe?: (iframe: HTMLIFrameElement) => void;
  readonly onError?: (error: WidgetFault) => void;
}

/** How the mark of waiting looks; lengths in pixels. The names are those of a common library for it. */
interface SpinnerOptions {
  readonly color?: unknown;
  readonly radius?: unknown;
  readonly length?: unknown;
  readonly width?: unknown;
  readonly scale?: unknown;
  /** Turns a second. */
  readonly speed?: unknown;
  readonly className?: unknown;
  readonly zIndex?: unknown;
}

/** What a shop sets for a wallet. */
export interface WalletOptions {
  /** The payee's name on the sheet; `total.label` goes before. */
  readonly displayName?: unknown;
  readonly total?: { readonly label?: unknown };
  readonly onCancel?: () => unknown;
  /** The shopper has agreed; an answer with the status `FAILURE` stops the payment. */
  readonly onPaymentAuthorized?: (payment: object) => unknown;
}

/** `wpwlOptions`. Shops are loose with types: `"true"` counts as true. */
export interface Options extends Callbacks {
  readonly locale?: string;
  readonly style?: StyleName;
  readonly labels?: Readonly<Record<string, string>>;
  readonly errorMessages?: Readonly<Record<string, string>>;
  readonly iframeStyles?: Readonly<Record<string, unknown>>;
  readonly autofocus?: string;
  readonly numberFormatting?: unknown;
  readonly requireCvv?: unknown;
  readonly allowEmptyCvv?: unknown;
  readonly allowEmptyCardHolderName?: unknown;
  readonly forceCardHolderEqualsBillingName?: unknown;
  readonly spinner?: SpinnerOptions;
  readonly maskCvv?: unknown;
  readonly showCVVHint?: unknown;
  readonly showLabels?: unknown;
  readonly showPlaceholders?: unknown;
  readonly accordion?: unknown;
  readonly brandDetection?: unknown;
  readonly brandDetectionPriority?: readonly string[];
  readonly paymentTarget?: string;
  readonly shopperResultTarget?: string;
  readonly disableSubmitOnEnter?: unknown;
  readonly disableCardExpiryDateValidation?: unknown;
  readonly inlineFlow?: readonly string[];
  readonly useSummaryPage?: unknown;
  readonly billingAddress?: Readonly<Record<string, string>> | boolean;
  readonly mandatoryBillingFields?: Readonly<Record<string, unknown>>;
  readonly registrations?: { readonly requireCvv?: unknown; readonly hideInitialPaymentForms?: unknown };
  readonly browser?: { readonly threeDChallengeWindow?: unknown };
  readonly threeDIframeSize?: { readonly width?: unknown; readonly height?: unknown };
  readonly baseUrl?: string;
  readonly applePay?: WalletOptions;
  readonly googlePay?: WalletOptions;
}

/** What `onError` gets: `name` is what failed. */
interface WidgetFault {
  readonly name: 'InvalidCheckoutIdError' | 'PciIframeSubmitError' | 'WidgetError';
  readonly message: string;
  readonly brand?: string;
}

/** A setting that is on or off; `preset` where the shop sets none. */
export function isOn(value: unknown, preset: boolean): boolean {
  if (value === undefined || value === null || value === '') return preset;
  return value === true || value === 'true' || value === 1 || value === '1';
}

/** What the shop has set by now: some set their hooks after the script. */
export function options(): Options {
  const set = (window as { wpwlOptions?: unknown }).wpwlOptions;
  return typeof set === 'object' && set !== null ? (set as Options) : {};
}

/** Calls a hook of the shop. A hook that fails is the shop's fault and stops nothing here; it is shown where the shop looks for faults. */
export function callHook<A extends readonly unknown[]>(
  hook: ((...args: A) => unknown) | undefined,
  ...args: A
): unknown {
  if (typeof hook !== 'function') return undefined;
  try {
    return hook.apply(options(), args as never);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
    return undefined;
  }
}

/** Reports a fault to the shop. */
export function reportFault(fault: WidgetFault): void {
  callHook(options().onError, Object.assign(new Error(fault.message), fault));
}
