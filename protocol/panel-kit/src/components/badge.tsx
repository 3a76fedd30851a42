import type { ComponentChildren, JSX } from 'preact';
import './badge.css';

/** The severity of a state as a colour, in addition to its words. */
export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'neutral';

/** A state in one or two words. */
export function Badge({
  tone,
  children,
}: {
  readonly tone: Tone;
  readonly children: ComponentChildren;
}): JSX.Element {
  return <span class={`badge badge-${tone}`}>{children}</span>;
}
