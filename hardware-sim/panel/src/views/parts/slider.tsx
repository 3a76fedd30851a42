import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import './slider.css';

/** A number that is set by a slider. */
export function Slider({
  label,
  value,
  min,
  max,
  step = 1,
  unit = '',
  onChange,
}: {
  readonly label: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly step?: number;
  readonly unit?: string;
  readonly onChange: (value: number) => void;
}): JSX.Element {
  const id = useId();
  return (
    <label class="slider" htmlFor={id}>
      <span>{label}</span>
      <input
        id={id}
        type="range"
        min={min}
        max={max}
        step={step}
        value={value}
        aria-valuetext={`${value}${unit}`}
        onInput={({ currentTarget }) => onChange(Number(currentTarget.value))}
      />
      <span class="slider-value numeric" aria-hidden="true">{`${value}${unit}`}</span>
    </label>
  );
}
