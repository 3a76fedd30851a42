import type { WalletName } from '@tillbridge/wire/payment/wallet-names.js';
import type { Method } from '../shared/checkout.js';
import { callHook, options as currentOptions } from '../shared/options.js';
import { accountForm } from './account-form.js';
import type { FormContext, PaymentForm } from './context.js';
import { methodName } from './method-name.js';
import { openWalletSheet, type WalletSheet } from './wallet-sheet.js';

const NAMES: Readonly<Record<string, WalletName>> = {
  WALLETA: 'walletA',
  WALLETB: 'walletB',
  WALLETC: 'walletC',
};
/** Options of the makers' wallets, by the brands that shops name. */
const OPTIONS = { APPLEPAY: 'applePay', GOOGLEPAY: 'googlePay' } as const;

/** What a shop answers that stops a payment to which the shopper has agreed. */
const REFUSED = { status: 'FAILURE' };
type Verdict = { readonly status?: unknown };

/** The button of a wallet. A token that the shop's page puts into the form is sent; without one the sheet of the wallet gives it. */
export function walletForm(context: FormContext, method: Method): PaymentForm {
  const { brand, shownAs = brand, sheetUrl: url } = method;
  const wallet = NAMES[brand];
  const form = accountForm(context, method);
  if (wallet === undefined || url === undefined) return form;
  const key = OPTIONS[shownAs as keyof typeof OPTIONS];
  const settings = () => (key && currentOptions()[key]) || {};
  let sheet: WalletSheet | undefined;
  const close = (): void => {
    sheet?.remove();
    sheet = undefined;
  };
  const brought = (): string =>
    form.element.querySelector<HTMLInputElement>(`[name="${wallet}.paymentToken"]`)?.value ?? '';
  return {
    ...form,
    authorize: async () => {
      if (brought() !== '') return true;
      const { displayName, total } = settings();
      const label = [total?.label, displayName].find((text) => typeof text === 'string' && text !== '');
      sheet = openWalletSheet(context, {
        wallet,
        url,
        title: methodName(context, method),
        label: String(label ?? location.host),
      });
      const isAgreed = await sheet.agreed;
      if (!isAgreed) {
        close();
        callHook(settings().onCancel);
        return false;
      }
      // The shop may still stop it. It gets no token: that stays in its frame.
      const decision = await Promise.resolve(callHook(settings().onPaymentAuthorized, {})).catch(
        () => REFUSED,
      );
      const isStopped =
        typeof decision === 'object' && decision !== null && (decision as Verdict).status === REFUSED.status;
      if (isStopped) close();
      return !isStopped;
    },
    frames: () => (sheet ? [sheet.frame] : []),
    clear: close,
    remove: () => {
      close();
      form.remove();
    },
  };
}
