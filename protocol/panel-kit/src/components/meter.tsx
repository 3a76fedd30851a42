import type { JSX } from 'preact';
import type { Tone } from './badge.js';
import './meter.css';

/** What a bar shows. */
interface MeterProps {
  readonly label: string;
  readonly value: number;
  readonly max: number;
  /** The value in words, such as `€40.00 of €100.00`. */
  readonly text: string;
  readonly tone?: Tone;
}

/** A bar with its value in words. */
export function Meter({ label, value, max, text, tone = 'good' }: MeterProps): JSX.Element {
  const share = max > 0 ? Math.min(1, Math.max(0, value / max)) : 0;
  return (
    <div class={`meter meter-${tone}`}>
      <div class="meter-words" aria-hidden="true">
        <span>{label}</span>
        <span class="numeric">{text}</span>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: browsers draw the native element each in another way. */}
      <div
        class="meter-track"
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={max}
        aria-valuenow={Math.min(max, Math.max(0, value))}
        aria-valuetext={text}
      >
        <div class="meter-fill" style={{ '--fill': `${share * 100}%` }} />
      </div>
    </div>
  );
}
