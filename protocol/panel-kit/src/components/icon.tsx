import type { JSX } from 'preact';

/** Paths of 24 × 24 units, drawn as lines. */
const PATHS = {
  alert:
    'M12 8v5M12 16.5v.01M10.3 4 2.6 17.5A2 2 0 0 0 4.3 20.5h15.4a2 2 0 0 0 1.7-3L13.7 4a2 2 0 0 0-3.4 0Z',
  check: 'M5 12.5 10 17.5 19.5 7',
  close: 'M6 6 18 18M18 6 6 18',
  cross: 'M7 7 17 17M17 7 7 17',
  clock: 'M12 7v5l3.5 2M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Z',
  cloud: 'M7 18.5a4.5 4.5 0 0 1-.6-8.96A6 6 0 0 1 17.9 10.1 4.2 4.2 0 0 1 17.5 18.5Z',
  'cloud-off': 'M3 3 21 21M9 5.5a6 6 0 0 1 8.9 4.6 4.2 4.2 0 0 1 2.4 6.9M16 18.5H7a4.5 4.5 0 0 1-.6-8.96',
  card: 'M3 8.5A2.5 2.5 0 0 1 5.5 6h13A2.5 2.5 0 0 1 21 8.5v7a2.5 2.5 0 0 1-2.5 2.5h-13A2.5 2.5 0 0 1 3 15.5ZM3 10.5h18M6.5 14.5h4',
  receipt: 'M6 3.5v17l2-1.3 2 1.3 2-1.3 2 1.3 2-1.3 2 1.3v-17l-2 1.3-2-1.3-2 1.3-2-1.3-2 1.3ZM9 9h6M9 13h6',
  undo: 'M8 5 4 9l4 4M4.5 9H14a5.5 5.5 0 0 1 0 11h-4',
  send: 'M12 20V5M6 10.5 12 4.5l6 6',
  terminal:
    'M7 3.5h10a1.5 1.5 0 0 1 1.5 1.5v14a1.5 1.5 0 0 1-1.5 1.5H7A1.5 1.5 0 0 1 5.5 19V5A1.5 1.5 0 0 1 7 3.5ZM8.5 6.5h7v4h-7ZM9 14v.01M12 14v.01M15 14v.01M9 17v.01M12 17v.01M15 17v.01',
  sun: 'M12 16.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M18.7 5.3l-1.4 1.4M6.7 17.3l-1.4 1.4',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5Z',
  system: 'M4 5.5h16v10.5H4ZM9 20h6M12 16v4',
  screen: 'M3 5h18v11H3ZM8 20h8M12 16v4M9.5 10.5a2.5 2.5 0 1 0 5 0 2.5 2.5 0 0 0-5 0Z',
  person: 'M12 11.5a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 20.5a7.5 7.5 0 0 1 15 0',
  plus: 'M12 5v14M5 12h14',
  more: 'M6 12v.01M12 12v.01M18 12v.01',
  download: 'M12 4v11M7 10.5l5 5 5-5M5 20h14',
  play: 'M8 5.5v13l10.5-6.5Z',
  stop: 'M7 7h10v10H7Z',
  copy: 'M9 9h11v11H9ZM15 9V4H4v11h5',
  chart: 'M4 19.5h16M7 16v-4M12 16V7M17 16v-6',
} as const;

/** Name of a picture. */
export type IconName = keyof typeof PATHS;

/** A small picture next to words. Screen readers leave it out: the words are enough. */
export function Icon({ name, size = 20 }: { readonly name: IconName; readonly size?: number }): JSX.Element {
  return (
    <svg
      class="icon"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="1.9"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
