import type { JSX } from 'preact';
import './answer-mark.css';

const MARKS: Readonly<Record<string, string>> = {
  good: 'M20 33 29 42 45 22',
  bad: 'M22 22 42 42M42 22 22 42',
  warn: 'M32 18v18M32 44v.5',
  neutral: 'M20 32h24',
  info: 'M32 18v18M32 44v.5',
};

/** How something ended, as a sign. `size`: width and height, in pixels. It repeats the words next to it. */
export function AnswerMark({
  tone,
  size = 96,
}: {
  readonly tone: string;
  readonly size?: number;
}): JSX.Element {
  return (
    <svg
      class={`answer-mark answer-mark-${tone}`}
      width={size}
      height={size}
      viewBox="0 0 64 64"
      aria-hidden="true"
      focusable="false"
    >
      <circle cx="32" cy="32" r="30" fill="currentColor" />
      <path
        d={MARKS[tone] ?? ''}
        fill="none"
        stroke="var(--surface)"
        stroke-width="6"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}
