const SVG = 'http://www.w3.org/2000/svg';

/** How brands are written where they are shown; the others as their keys. */
const NAMES: Readonly<Record<string, string>> = {
  VISA: 'Visa',
  MASTER: 'Mastercard',
  AMEX: 'American Express',
  DINERS: 'Diners Club',
  DISCOVER: 'Discover',
  MAESTRO: 'Maestro',
  DANKORT: 'Dankort',
  HIPERCARD: 'Hipercard',
  VISAELECTRON: 'Visa Electron',
  VPAY: 'V PAY',
  CARTEBLEUE: 'Carte Bleue',
  CARTEBANCAIRE: 'Carte Bancaire',
  DIRECTDEBIT_SEPA: 'SEPA',
  DIRECTDEBIT: 'Direct debit',
  EPS: 'eps',
  GIROPAY: 'giropay',
  IDEAL: 'iDEAL',
  SOFORTUEBERWEISUNG: 'Sofort',
  PREPAYMENT: 'Prepayment',
  PAYPAL: 'PayPal',
  SKRILL: 'Skrill',
  WALLETA: 'Wallet A',
  WALLETB: 'Wallet B',
  WALLETC: 'Wallet C',
};

/** Name of a brand, as people read it. */
export function brandName(brand: string): string {
  return Object.hasOwn(NAMES, brand) ? (NAMES[brand] ?? brand) : brand;
}

/** A neutral mark with the name of the brand, drawn here: the widget loads no image. The schemes' own logos are for the shop to show. */
export function brandMark(brand: string): SVGElement {
  const svg = shape('svg', { viewBox: '0 0 56 36', role: 'img', 'aria-label': brandName(brand) });
  const name = brandName(brand);
  const size = name.length > 9 ? 7.5 : name.length > 5 ? 10 : 14;
  const box = { x: '.5', y: '.5', width: '55', height: '35', rx: '5' };
  const text = shape('text', {
    x: '28',
    y: '18',
    'text-anchor': 'middle',
    'dominant-baseline': 'central',
    'font-family': 'system-ui,sans-serif',
    'font-weight': '700',
    'font-size': String(size),
    fill: '#1b2130',
    textLength: name.length * size * 0.62 > 50 ? '50' : '',
    lengthAdjust: 'spacingAndGlyphs',
  });
  text.textContent = name;
  svg.append(shape('rect', { ...box, fill: '#fff', stroke: '#c3cad6' }), text);
  return svg;
}

function shape<K extends 'svg' | 'rect' | 'text'>(tag: K, attributes: Readonly<Record<string, string>>) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== '') made.setAttribute(name, value);
  return made;
}
