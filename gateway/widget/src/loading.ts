import { findBrand } from '@tillbridge/wire/payment/brands.js';
import { brandsOf } from './render.js';
import { options } from './shared/options.js';
import { spinner } from './shared/spinner.js';

/** Heights of forms with the space below them, in rem: of cards, of a direct debit, of a button alone. */
const HEIGHTS = { cards: 37.75, debit: 23.5, button: 6 } as const;
/** What their border and padding add, on narrow screens too; styles without add nothing. */
const FRAME = { usual: 2.625, narrow: 1.625, styles: ['card', 'logos'] } as const;
/** The space below the last of them is that of the page. */
const SPACE_BELOW = 1;
/** Widest of the narrow screens. */
const NARROW = '(max-width:22rem)';

/** Room for a form of the shop from the moment at which it is parsed: a rule for all pages, until more is known. */
export const EARLY_STYLES = `form.paymentWidgets{display:block;min-height:${HEIGHTS.cards}rem}`;

/** Room for the forms that a form of the shop names, so that nothing below it moves when they come. */
function heightOf(form: HTMLFormElement): string {
  const brands = brandsOf(form);
  const others = brands.filter((brand) => findBrand(brand) === undefined);
  const heights: number[] = others.map((brand) =>
    brand.startsWith('DIRECTDEBIT') ? HEIGHTS.debit : HEIGHTS.button,
  );
  if (brands.length === 0 || others.length < brands.length) heights.push(HEIGHTS.cards);
  const isFramed = FRAME.styles.some((style) => style === (options().style ?? 'card'));
  const frame = isFramed ? (matchMedia(NARROW).matches ? FRAME.narrow : FRAME.usual) : 0;
  return `${heights.reduce((sum, height) => sum + height + frame, -SPACE_BELOW)}rem`;
}

/** Shows that forms are on their way where a form of the shop stands. Returns what puts that form back as it was. */
export function showLoading(form: HTMLFormElement): () => void {
  const { minHeight } = form.style;
  const mark = spinner();
  form.style.minHeight = heightOf(form);
  form.classList.add('wpwl-loading');
  form.setAttribute('aria-busy', 'true');
  form.append(mark);
  return () => {
    form.style.minHeight = minHeight;
    form.classList.remove('wpwl-loading');
    form.removeAttribute('aria-busy');
    mark.remove();
  };
}
