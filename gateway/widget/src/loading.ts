import { findBrand } from '@tillbridge/wire/payment/brands.js';
import { billingParts } from './forms/billing.js';
import { brandsOf } from './render.js';
import { isOn, type Options, options } from './shared/options.js';
import { spinner } from './shared/spinner.js';

/** Heights of forms with the space below them, in rem: of cards, of a direct debit, of a button alone. */
const HEIGHTS = { cards: 29.6875, debit: 21.375, button: 4.375 } as const;
/** What another field in a row of its own adds. */
const FIELD = 5.9102;
/** What the hint at the code adds: on a phone it has two lines. */
const HINT = { usual: 2, phone: 3 } as const;
const PHONE = '(max-width:26rem)';
/** What their border and padding add, on narrow screens too; styles without add nothing. */
const FRAME = { usual: 2.625, narrow: 1.625, styles: ['card', 'logos'] } as const;
/** Of an accordion: each method while it is closed, what opens of the three forms, and what stands below all. */
const ACCORDION = { closed: 3.0625, cards: 28.8125, debit: 17.75, button: 4.875, below: 3.3125 } as const;
/** The space below the last of them is that of the page. */
const SPACE_BELOW = 1;
/** Widest of the narrow screens. */
const NARROW = '(max-width:22rem)';

/** Room for a form of the shop from the moment at which it is parsed: a rule for all pages, until more is known. */
export const EARLY_STYLES = `form.paymentWidgets{display:block;min-height:${HEIGHTS.cards}rem}`;

type Kind = 'cards' | 'debit' | 'button';

/** Wallets stand before all others. */
const WALLET = /^(WALLET[ABC]|(APPLE|GOOGLE|SAMSUNG)PAY)$/;

/** The forms that brands of a shop's form get, first the one that an accordion opens. */
function kindsOf(brands: readonly string[]): readonly Kind[] {
  const isCard = (brand: string): boolean => findBrand(brand) !== undefined;
  const others = brands.filter((brand) => !isCard(brand));
  const sorted = [
    ...others.filter((brand) => WALLET.test(brand)),
    ...others.filter((brand) => !WALLET.test(brand)),
  ];
  const kinds = sorted.map((brand): Kind => (brand.startsWith('DIRECTDEBIT') ? 'debit' : 'button'));
  return brands.length === 0 || brands.some(isCard) ? ['cards', ...kinds] : kinds;
}

/** What the shop wants in the form for cards in addition to its usual fields. */
function moreOfCards(wanted: Options): number {
  const hasHint = isOn(wanted.requireCvv, true) && isOn(wanted.showCVVHint, false);
  const fields = billingParts(wanted).length + (isOn(wanted.forceCardHolderEqualsBillingName, false) ? 1 : 0);
  return (hasHint ? HINT[matchMedia(PHONE).matches ? 'phone' : 'usual'] : 0) + fields * FIELD;
}

/** Room for the forms that a form of the shop names, so that nothing below it moves when they come. */
function heightOf(form: HTMLFormElement): string {
  const kinds = kindsOf(brandsOf(form));
  const wanted = options();
  const more = kinds.includes('cards') ? moreOfCards(wanted) : 0;
  if (kinds.length > 1 && isOn(wanted.accordion, true)) {
    const [open = 'cards'] = kinds;
    const whole = kinds.length * ACCORDION.closed + ACCORDION[open] + more + ACCORDION.below;
    return `${whole - SPACE_BELOW}rem`;
  }
  const isFramed = FRAME.styles.some((each) => each === (wanted.style ?? 'card'));
  const frame = isFramed ? (matchMedia(NARROW).matches ? FRAME.narrow : FRAME.usual) : 0;
  return `${kinds.reduce((sum, kind) => sum + HEIGHTS[kind] + frame, more - SPACE_BELOW)}rem`;
}

/** Keeps the room for its forms as soon as a form of the shop is parsed. Returns what gives it back. */
export function keepRoom(form: HTMLFormElement): () => void {
  const { minHeight } = form.style;
  form.style.minHeight = heightOf(form);
  return () => {
    form.style.minHeight = minHeight;
  };
}

/** Shows that forms are on their way where a form of the shop stands. Returns what puts that form back as it was. */
export function showLoading(form: HTMLFormElement): () => void {
  const giveBack = keepRoom(form);
  const mark = spinner();
  form.classList.add('wpwl-loading');
  form.setAttribute('aria-busy', 'true');
  form.append(mark);
  return () => {
    giveBack();
    form.classList.remove('wpwl-loading');
    form.removeAttribute('aria-busy');
    mark.remove();
  };
}
