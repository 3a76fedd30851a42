import { framePage } from '../shared/cache-version.js';
import { isDark } from '../shared/dom.js';
import { Frame } from '../shared/frame.js';
import type { FieldLook, FromField, SecureField, ToField } from '../shared/messages.js';
import { isOn } from '../shared/options.js';
import type { TextKey } from '../texts/texts.js';
import type { FormContext } from './context.js';
import { errorText, group, hasLabelInside } from './group.js';
import type { Field } from './text-field.js';

type State = Extract<FromField, { type: 'state' }>;

/** What a secure field is made of. */
interface SecureFieldOptions {
  readonly field: SecureField;
  /** As in `wpwl-group-cvv`. */
  readonly key: string;
  readonly label: TextKey;
  readonly error: TextKey;
  readonly brands: readonly string[];
  readonly mayBeEmpty: boolean;
  readonly onState?: (state: State) => void;
  readonly onBlur?: (isValid: boolean) => void;
  readonly onEnter: () => void;
  /** The frame can be typed in. */
  readonly onReady?: () => void;
}

/** A field of a card in a frame of the gateway: the page of the shop never has what is typed. */
export interface SecureInput extends Field {
  readonly frame: HTMLIFrameElement;
  isEmpty(): boolean;
  /** How many digits the code of the chosen brand has. */
  setLength(length: number): void;
  clear(): void;
  remove(): void;
}

/** Properties of the surrounding design that a field takes over. */
const INHERITED = ['color', 'font-family', 'font-size', 'font-weight', 'letter-spacing'];
/** Space at the sides of the text; the frame is the whole control. */
const PADDING = '0 .75rem';

export function secureField(context: FormContext, parts: SecureFieldOptions): SecureInput {
  const { options, language, address, checkout } = context;
  const { field, key, brands, mayBeEmpty } = parts;
  const label = language.texts[parts.label];
  let state: State = { type: 'state', isEmpty: true, isValid: false, brands: [] };
  let length = 0;

  const look = (): FieldLook => {
    const at = frame.element.parentElement ?? document.body;
    const design = getComputedStyle(at);
    const style = Object.fromEntries(INHERITED.map((name) => [name, design.getPropertyValue(name)]));
    const styles = options.iframeStyles ?? {};
    const own = styles[field === 'card.number' ? 'card-number' : 'cvv'];
    const placeholder = styles[`${field === 'card.number' ? 'card-number' : 'cvv'}-placeholder`];
    const dark = isDark(at);
    return {
      label,
      placeholder: hasLabelInside(context) ? label : '',
      lang: language.tag,
      dir: language.dir,
      colorScheme: dark ? 'dark' : 'light',
      style: { padding: PADDING, ...style, ...texts(own), ...texts(styles) },
      placeholderColor: texts(placeholder).color ?? (dark ? '#a9b2c3' : '#5b6475'),
    };
  };
  const frame = new Frame<ToField, FromField>({
    src: framePage(address.base, 'field'),
    name: field,
    title: label,
    classes: ['wpwl-control-iframe'],
    take: (message) => {
      if (message.type === 'ready') {
        const isMasked = field === 'card.cvv' && isOn(options.maskCvv, false);
        const isGrouped = isOn(options.numberFormatting, true);
        frame.tell({
          type: 'open',
          checkoutId: checkout.id,
          field,
          look: look(),
          brands,
          isMasked,
          isGrouped,
        });
        frame.tell({ type: 'length', length });
        parts.onReady?.();
      } else if (message.type === 'state') {
        state = message;
        if (message.isValid) setError(undefined);
        parts.onState?.(message);
      } else if (message.type === 'focus') frame.element.classList.add('wpwl-focus');
      else if (message.type === 'blur') {
        frame.element.classList.remove('wpwl-focus');
        parts.onBlur?.(isGood());
        if (!state.isEmpty) check();
      } else if (message.type === 'enter') parts.onEnter();
    },
  });
  const made = group(context, { name: key, label, control: frame.element });
  made.label.addEventListener('click', () => frame.tell({ type: 'focus' }));
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  const restyle = (): void => frame.tell({ type: 'look', look: look() });
  scheme.addEventListener('change', restyle);

  const isGood = (): boolean => state.isValid || (mayBeEmpty && state.isEmpty);
  const setError = (text: string | undefined): void => {
    made.setError(text);
    frame.tell({ type: 'invalid', error: text ?? '' });
  };
  const refuse = (): void => setError(errorText(context, parts.error));
  const check = (): boolean => {
    if (isGood()) setError(undefined);
    else refuse();
    return isGood();
  };
  return {
    group: made,
    names: [field],
    frame: frame.element,
    check,
    refuse,
    focus: () => {
      // A frame in another process takes the focus by its element; its page then gives it to the input.
      frame.element.focus();
      frame.tell({ type: 'focus' });
    },
    isEmpty: () => state.isEmpty,
    setLength: (digits) => {
      length = digits;
      frame.tell({ type: 'length', length });
    },
    clear: () => frame.tell({ type: 'clear' }),
    remove: () => {
      scheme.removeEventListener('change', restyle);
      frame.remove();
    },
  };
}

/** The entries of a style that are texts. */
function texts(style: unknown): Readonly<Record<string, string>> {
  if (typeof style !== 'object' || style === null) return {};
  return Object.fromEntries(
    Object.entries(style).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
