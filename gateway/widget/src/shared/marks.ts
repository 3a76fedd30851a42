const SVG = 'http://www.w3.org/2000/svg';

/** What marks add to the name of a brand: drawings of our own, of two or three plain shapes in the mark's own field. */
type Drawing = 'band' | 'discs' | 'corner' | 'rings' | 'wave' | 'bars';

/** How a brand is written and drawn: its name, the colour of its field, that of its drawing. */
type Look = readonly [name: string, field: string, accent: string, drawing: Drawing];

/** Brands whose look differs from that of all others; names are as people read them. */
const LOOKS: Readonly<Record<string, Look>> = {
  VISA: ['Visa', '#1b2a6b', '#e8a33d', 'band'],
  VISAELECTRON: ['Visa Electron', '#24408e', '#7fc6ff', 'band'],
  VPAY: ['V PAY', '#0d3b8c', '#9fd0ff', 'corner'],
  MASTER: ['Mastercard', '#2b2b33', '#e0632b', 'discs'],
  MAESTRO: ['Maestro', '#21405e', '#5aa9e6', 'discs'],
  AMEX: ['American Express', '#0f6a8f', '#bfe6f5', 'bars'],
  DINERS: ['Diners Club', '#31516d', '#cfdbe6', 'rings'],
  DISCOVER: ['Discover', '#3a2a20', '#f08a24', 'wave'],
  JCB: ['JCB', '#1e4f3a', '#d5453f', 'bars'],
  DANKORT: ['Dankort', '#a3142b', '#ffffff', 'corner'],
  HIPERCARD: ['Hipercard', '#8c1d2c', '#f3c7cc', 'band'],
  CARTEBLEUE: ['Carte Bleue', '#15539b', '#8fd08a', 'wave'],
  CARTEBANCAIRE: ['Carte Bancaire', '#12496b', '#6fbf73', 'wave'],
  DIRECTDEBIT_SEPA: ['SEPA', '#10298e', '#f7d117', 'rings'],
  DIRECTDEBIT: ['Direct debit', '#37474f', '#b0bec5', 'bars'],
  EPS: ['eps', '#6b1f52', '#f0b6d7', 'corner'],
  GIROPAY: ['giropay', '#0b3a66', '#e5483b', 'corner'],
  IDEAL: ['iDEAL', '#8a0f52', '#f2b9d6', 'rings'],
  SOFORTUEBERWEISUNG: ['Sofort', '#7a2f10', '#f7b58a', 'band'],
  PREPAYMENT: ['Prepayment', '#37474f', '#b0bec5', 'corner'],
  PAYPAL: ['PayPal', '#123a7a', '#4fb3e8', 'corner'],
  GIFTCARD: ['Gift card', '#5a3d7a', '#d9c2f0', 'corner'],
  SKRILL: ['Skrill', '#5b1c4e', '#d6a6cc', 'wave'],
  APPLEPAY: ['Apple Pay', '#17171b', '#8e8e98', 'rings'],
  GOOGLEPAY: ['Google Pay', '#2d3440', '#7bb26f', 'discs'],
  SAMSUNGPAY: ['Samsung Pay', '#16306b', '#9bb4f0', 'wave'],
  WALLETA: ['Wallet A', '#24303f', '#9fb3c8', 'rings'],
  WALLETB: ['Wallet B', '#24303f', '#9fb3c8', 'discs'],
  WALLETC: ['Wallet C', '#24303f', '#9fb3c8', 'wave'],
};

/** Any other brand. */
const PLAIN: Look = ['', '#39424f', '#c3cad6', 'band'];

/** The shapes of each drawing, as tags with attributes. */
const DRAWINGS: Readonly<Record<Drawing, readonly (readonly ['rect' | 'circle' | 'path', string])[]>> = {
  band: [['rect', 'x=0 y=29 width=56 height=7']],
  corner: [['path', 'd=M56,0v18L38,0z']],
  discs: [
    ['path', 'd=M14,36a9,9,0,0,1,18,0z opacity=.7'],
    ['path', 'd=M24,36a9,9,0,0,1,18,0z opacity=.7'],
  ],
  rings: [['circle', 'cx=50 cy=6 r=3 fill=none stroke-width=1.5']],
  wave: [['path', 'd=M0,30q14,-7,28,0t28,0v6H0z']],
  bars: [
    ['rect', 'x=0 y=0 width=4 height=36'],
    ['rect', 'x=6 y=0 width=2 height=36 opacity=.6'],
  ],
};

/** Name of a brand, as people read it. */
export function brandName(brand: string): string {
  return Object.hasOwn(LOOKS, brand) ? (LOOKS[brand]?.[0] ?? brand) : brand;
}

/** A mark of our own with the name of the brand, drawn here: the widget loads no image. The schemes' own logos are for the shop to show. */
export function brandMark(brand: string, name = brandName(brand)): SVGElement {
  const [, field, accent, drawing] = (Object.hasOwn(LOOKS, brand) && LOOKS[brand]) || PLAIN;
  const svg = shape('svg', { viewBox: '0 0 56 36', role: 'img', 'aria-label': name });
  const box = { width: '56', height: '36', rx: '5', fill: field };
  // The corners of the mark are round, whatever is drawn in it.
  svg.style.borderRadius = '14%/22%';
  const drawn = DRAWINGS[drawing].map(([tag, attributes]) => {
    const pairs = attributes.split(' ').map((pair) => pair.split('=') as [string, string]);
    return shape(tag, { fill: accent, stroke: accent, 'stroke-width': '0', ...Object.fromEntries(pairs) });
  });
  svg.append(shape('rect', box), ...drawn, ...nameLines(name));
  return svg;
}

/** The name in one line, or two where it has two words. */
function nameLines(name: string): readonly SVGElement[] {
  const words = name.length > 9 ? name.split(' ') : [name];
  const longest = Math.max(...words.map(({ length }) => length));
  const size = longest > 9 ? 7.5 : longest > 5 ? 10 : 14;
  return words.map((word, at) => {
    const text = shape('text', {
      x: '28',
      y: String(15 + (at - (words.length - 1) / 2) * (size + 1)),
      'text-anchor': 'middle',
      'dominant-baseline': 'central',
      'font-family': 'system-ui,sans-serif',
      'font-weight': '700',
      'font-size': String(size),
      fill: '#fff',
      textLength: word.length * size * 0.62 > 46 ? '46' : '',
      lengthAdjust: 'spacingAndGlyphs',
    });
    text.textContent = word;
    return text;
  });
}

function shape(tag: string, attributes: Readonly<Record<string, string>>): SVGElement {
  const made = document.createElementNS(SVG, tag) as SVGElement;
  for (const [name, value] of Object.entries(attributes)) if (value !== '') made.setAttribute(name, value);
  return made;
}
