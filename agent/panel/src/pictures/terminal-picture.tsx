import type { DeviceType } from '@tillbridge/wire/terminals/device-types.js';
import type { JSX } from 'preact';
import './terminal-picture.css';

/** How a card is used, or what the customer does. */
export type PayWay = 'insert' | 'tap' | 'swipe' | 'pin' | 'remove';

/** How a model looks, and where cards go. */
interface Shape {
  /** Keys below the display; without them the PIN is typed on the display. */
  readonly keys: boolean;
  /** Height of the display of 100. */
  readonly display: number;
  /** Where a phone or card is held for contactless. */
  readonly tap: 'display' | 'top';
  /** Where a card is swiped. */
  readonly swipe: 'side' | 'top';
  readonly name: string;
}

const SHAPES: Readonly<Record<string, Shape>> = {
  GERTEC_PPC930: { name: 'Gertec PPC930', keys: true, display: 26, tap: 'display', swipe: 'side' },
  MIURA_M020: { name: 'Miura M020', keys: true, display: 24, tap: 'top', swipe: 'top' },
  VERIFONE_P400: { name: 'Verifone P400', keys: true, display: 38, tap: 'display', swipe: 'side' },
  MAGTEK_DYNAFLEX: { name: 'MagTek DynaFlex', keys: false, display: 62, tap: 'display', swipe: 'side' },
  NEWLAND_P180: { name: 'Newland P180', keys: true, display: 36, tap: 'top', swipe: 'side' },
  IDTECH_VP6800: { name: 'ID TECH VP6800', keys: false, display: 58, tap: 'display', swipe: 'top' },
} satisfies Readonly<Record<DeviceType, Shape>>;

const PLAIN: Shape = { name: 'Card terminal', keys: true, display: 30, tap: 'display', swipe: 'side' };

/** What a model is called. */
export function modelName(deviceType: string): string {
  return SHAPES[deviceType]?.name ?? deviceType;
}

/** What is drawn. */
interface TerminalPictureProps {
  readonly deviceType: string;
  /** Width and height, in pixels. */
  readonly size: number;
  /** What the customer can do now; drawn next to the terminal. */
  readonly ways?: readonly PayWay[];
}

/** A terminal of a model, and how to pay with it. The picture repeats the words next to it. */
export function TerminalPicture({ deviceType, size, ways = [] }: TerminalPictureProps): JSX.Element {
  const shape = SHAPES[deviceType] ?? PLAIN;
  const pin = ways.includes('pin');
  return (
    <svg
      class="picture"
      width={size}
      height={size}
      viewBox={ways.length > 0 ? '0 0 160 160' : '18 10 124 124'}
      aria-hidden="true"
      focusable="false"
    >
      {ways.includes('insert') && <Card class="picture-insert" x={57} y={118} />}
      {ways.includes('remove') && <Card class="picture-remove" x={57} y={118} />}
      <rect class="picture-body" x="40" y="16" width="80" height="112" rx="12" />
      <rect
        class={`picture-display${pin && !shape.keys ? ' picture-lit' : ''}`}
        x="49"
        y="25"
        width="62"
        height={shape.display}
        rx="5"
      />
      {shape.keys && <Keys top={31 + shape.display} bottom={118} lit={pin} />}
      {pin && !shape.keys && <Keys top={32} bottom={25 + shape.display - 4} lit />}
      <path class="picture-slot" d="M60 124h40" />
      {ways.includes('tap') && <Waves y={shape.tap === 'top' ? 16 : 25 + shape.display / 2} />}
      {ways.includes('swipe') && <Swipe side={shape.swipe} />}
    </svg>
  );
}

function Keys({
  top,
  bottom,
  lit,
}: {
  readonly top: number;
  readonly bottom: number;
  readonly lit: boolean;
}): JSX.Element {
  const rows = 4;
  const height = (bottom - top) / rows;
  const places = Array.from({ length: rows * 3 }, (_, at) => ({ x: at % 3, y: Math.floor(at / 3) }));
  return (
    <g class={lit ? 'picture-keys picture-lit' : 'picture-keys'}>
      {places.map(({ x, y }) => (
        <rect
          key={`${x}-${y}`}
          x={52 + x * 20}
          y={top + y * height}
          width="16"
          height={Math.max(4, height - 5)}
          rx="3"
        />
      ))}
    </g>
  );
}

function Card({
  x,
  y,
  class: name,
}: {
  readonly x: number;
  readonly y: number;
  readonly class: string;
}): JSX.Element {
  return (
    <g class={name}>
      <rect class="picture-card" x={x} y={y} width="46" height="34" rx="4" />
      <rect class="picture-chip" x={x + 17} y={y + 5} width="12" height="9" rx="2" />
      <path class="picture-arrow" d={`M${x + 23} ${y + 30}v-10m-5 5 5-5 5 5`} />
    </g>
  );
}

function Waves({ y }: { readonly y: number }): JSX.Element {
  return (
    <g class="picture-waves">
      <path d={`M126 ${y - 8}a12 12 0 0 1 0 16`} />
      <path d={`M133 ${y - 14}a21 21 0 0 1 0 28`} />
      <path d={`M140 ${y - 20}a30 30 0 0 1 0 40`} />
    </g>
  );
}

function Swipe({ side }: { readonly side: Shape['swipe'] }): JSX.Element {
  return (
    <path class="picture-swipe" d={side === 'side' ? 'M24 40v64m-7-9 7 9 7-9' : 'M56 8h44m-8-6 8 6-8 6'} />
  );
}
