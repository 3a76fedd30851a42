import { escapeHtml } from '@tillbridge/platform/http/post-page.js';

/** How a merchant wants the page of its link to look, as parts of that page. */
export interface LinkLayout {
  /** HTML before the name of the merchant: pictures. */
  readonly pictures: string;
  /** CSS after that of the page. */
  readonly style: string;
  /** Origins of the pictures. */
  readonly origins: readonly string[];
}

/** What each colour is of. */
const COLORS = [
  ['layout.merchantNameColor', '.shop h1', 'color'],
  ['layout.amountColor', '.shop .price', 'color'],
  ['layout.payButtonColor', 'main .wpwl-button-pay', 'background'],
  ['layout.payButtonTextColor', 'main .wpwl-button-pay', 'color'],
] as const;

/** Parameters that name pictures. */
export const LAYOUT_PICTURES = ['layout.logo', 'layout.backgroundImage'] as const;

/** The layout in the valid parameters of a link (docs/pay-by-link.md, layout.*). A picture behind the header is an image too: no address stands in CSS. */
export function layoutOf(link: Readonly<Record<string, string>>): LinkLayout {
  const picture = (name: (typeof LAYOUT_PICTURES)[number], attributes: string): string =>
    link[name] === undefined ? '' : `<img src="${escapeHtml(link[name])}" alt="" ${attributes}>`;
  const size = (['Width', 'Height'] as const).map((side) => {
    const pixels = link[`layout.logo${side}`];
    return pixels === undefined ? '' : `${side.toLowerCase()}="${Number.parseInt(pixels, 10)}"`;
  });
  const style = COLORS.flatMap(([name, selector, property]) =>
    link[name] === undefined ? [] : `${selector}{${property}:${link[name]}}`,
  );
  const origins = LAYOUT_PICTURES.flatMap((name) => (link[name] ? new URL(link[name]).origin : []));
  return {
    pictures: `${picture('layout.backgroundImage', 'class="back"')}${picture('layout.logo', `class="logo" ${size.join(' ')}`)}`,
    style: style.join(''),
    origins: [...new Set(origins)],
  };
}
