import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import { useRedraw } from '../state.js';
import './field.css';
import { Icon, type IconName } from './icon.js';

/** What a field of a form is. */
interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly type?: 'text' | 'password' | 'search' | 'number' | 'date';
  readonly inputMode?: 'text' | 'decimal' | 'numeric';
  readonly placeholder?: string;
  readonly autoComplete?: string;
  readonly maxLength?: number;
  /** Of a date. */
  readonly min?: string;
  readonly max?: string;
  /** Several lines. */
  readonly lines?: boolean;
  readonly required?: boolean;
  /** What is wrong with the value. */
  readonly fault?: string | undefined;
}

/** A text field with its label. */
export function Field({ label, value, onInput, fault, lines = false, ...more }: FieldProps): JSX.Element {
  const id = useId();
  const redraw = useRedraw();
  const take = (typed: string) => {
    onInput(typed);
    // What is typed and not taken does not stay in sight.
    redraw();
  };
  // Preact has one type for each type of input; here it is one of several.
  const control: object = {
    ...more,
    id,
    class: 'control',
    value,
    'aria-invalid': fault !== undefined,
    ...(fault !== undefined && { 'aria-describedby': `${id}-fault` }),
  };
  return (
    <label class="field" htmlFor={id}>
      <span>{label}</span>
      {lines ? (
        <textarea {...control} onInput={({ currentTarget }) => take(currentTarget.value)} />
      ) : (
        <input {...control} onInput={({ currentTarget }) => take(currentTarget.value)} />
      )}
      {fault !== undefined && (
        <span class="field-fault" id={`${id}-fault`}>
          {fault}
        </span>
      )}
    </label>
  );
}

/** One of several values. */
export interface Option<T extends string> {
  readonly value: T;
  readonly label: string;
  readonly icon?: IconName;
}

/** What a choice is between. */
interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly options: readonly Option<T>[];
  readonly value: T;
  readonly onChange: (value: T) => void;
}

/** A list to choose one from. */
export function Select<T extends string>({ label, options, value, onChange }: ChoiceProps<T>): JSX.Element {
  const id = useId();
  return (
    <label class="field" htmlFor={id}>
      <span>{label}</span>
      <select
        id={id}
        class="control"
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value as T)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.label}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A few values side by side, of which one is chosen. `iconOnly`: the words are for screen readers. */
export function Choice<T extends string>({
  label,
  options,
  value,
  onChange,
  iconOnly = false,
}: ChoiceProps<T> & { readonly iconOnly?: boolean }): JSX.Element {
  const name = useId();
  return (
    <div class="choice" role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.icon && <Icon name={option.icon} size={18} />}
          <span class={iconOnly ? 'reader' : ''}>{option.label}</span>
        </label>
      ))}
    </div>
  );
}

/** Fields and buttons in a column. */
export function Form({
  onSubmit,
  label,
  children,
}: {
  readonly onSubmit: () => unknown;
  readonly label: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <form
      class="form"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        void onSubmit();
      }}
    >
      {children}
    </form>
  );
}
