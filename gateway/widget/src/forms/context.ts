import type { Checkout } from '../shared/checkout.js';
import type { BeforeSubmit, Options } from '../shared/options.js';
import type { ScriptAddress } from '../shared/script-address.js';
import type { Language } from '../texts/texts.js';

/** What all forms of a page have in common. */
export interface FormContext {
  readonly address: ScriptAddress;
  readonly checkout: Checkout;
  readonly language: Language;
  /** As they stood when the forms were made. */
  readonly options: Options;
  /** Where the shopper goes after, from the shop's form; absent: the gateway knows. */
  readonly shopperResultUrl: string | undefined;
  /** A number for ids of elements that no other has. */
  readonly nextNumber: () => number;
  /** The shopper wants to pay with a form. */
  readonly submit: (form: PaymentForm) => void;
}

/** A form that pays or stores. */
export interface PaymentForm {
  readonly container: HTMLElement;
  readonly element: HTMLFormElement;
  /** As a shopper knows it. */
  readonly title: string;
  /** Brands whose marks stand next to the title. */
  readonly marks: readonly string[];
  readonly brand: () => string;
  readonly beforeSubmit: BeforeSubmit;
  /** Shows what is wrong next to its field, and goes to the first of these; true when nothing is. */
  readonly validate: () => boolean;
  /** What the shopper has to agree to elsewhere before it is sent; whether that was done. */
  readonly authorize?: () => Promise<boolean>;
  /** The frames whose values are sent with it. */
  readonly frames: () => readonly HTMLIFrameElement[];
  /** Shows the errors that the gateway found. Returns whether each has its field here. */
  readonly showErrors: (names: readonly string[]) => boolean;
  /** Forgets what must not be sent twice. */
  readonly clear: () => void;
  readonly remove: () => void;
}
