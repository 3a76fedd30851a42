import { element } from '../shared/dom.js';
import { isOn } from '../shared/options.js';
import { ownText, type TextKey } from '../texts/texts.js';
import type { FormContext } from './context.js';

/** A labelled control with room for its error. */
export interface Group {
  readonly element: HTMLDivElement;
  readonly wrapper: HTMLDivElement;
  readonly label: HTMLDivElement;
  /** Shows an error; `undefined` takes it away. */
  setError(text: string | undefined): void;
}

/** How controls of a group are named. */
interface GroupOptions {
  /** As in `wpwl-group-cardNumber`. */
  readonly name: string;
  readonly label: string;
  readonly control: HTMLElement;
  /** As in `wpwl-hint-cardNumberError`; the name unless given. */
  readonly hint?: string;
}

/** A group of docs/widget.md: label, wrapper, control. The room for an error is there before it, so that nothing moves. */
export function group(
  context: FormContext,
  { name, label: text, control, hint: hintName = name }: GroupOptions,
): Group {
  const number = context.nextNumber();
  const id = `wpwl-${name}-${number}`;
  const label = element(`div.wpwl-label.wpwl-label-${name}`, { id: `${id}-label` }, text);
  const hint = element('div.wpwl-hint', { id: `${id}-hint` });
  control.classList.add('wpwl-control', `wpwl-control-${name}`);
  control.id ||= id;
  const isFrame = control instanceof HTMLIFrameElement;
  if (!isFrame) {
    control.setAttribute('aria-labelledby', label.id);
    control.setAttribute('aria-describedby', hint.id);
  }
  if (!isOn(context.options.showLabels, true)) label.classList.add('wpwl-reader');
  if (!isFrame) label.addEventListener('click', () => control.focus());
  const wrapper = element(`div.wpwl-wrapper.wpwl-wrapper-${name}`, {}, control);
  const whole = element(`div.wpwl-group.wpwl-group-${name}.wpwl-clearfix`, {}, label, wrapper, hint);
  return {
    element: whole,
    wrapper,
    label,
    setError: (error) => {
      const isWrong = error !== undefined;
      // Shops take hints away that they think their own.
      if (!hint.isConnected) whole.append(hint);
      hint.textContent = error ?? '';
      hint.classList.toggle(`wpwl-hint-${hintName}Error`, isWrong);
      control.classList.toggle('wpwl-has-error', isWrong);
      if (!isFrame) control.setAttribute('aria-invalid', String(isWrong));
    },
  };
}

/** Does the label stand inside the empty field? It does where it is not shown above. */
export function hasLabelInside({ options }: FormContext): boolean {
  return isOn(options.showPlaceholders, true) && !isOn(options.showLabels, true);
}

/** A text of the shop's own for an error, or ours. */
export function errorText({ options, language }: FormContext, key: TextKey): string {
  return ownText(options.errorMessages ?? {}, key) ?? language.texts[key];
}
