import type { JSX } from 'preact';
import { Badge, type Tone } from '../../components/badge.js';

const TONES: Readonly<Record<string, Tone>> = {
  paid: 'good',
  pending: 'info',
  refused: 'bad',
  'try again': 'warn',
};

/** What a result code means for a shop. */
export function Meaning({ of }: { readonly of: string }): JSX.Element {
  return <Badge tone={TONES[of] ?? 'neutral'}>{of}</Badge>;
}
