import { BIN_DIGITS, candidateBrands, grouped, isCardNumber, MAX_PAN_DIGITS } from '../shared/cards.js';
import type { FieldLook, FromField, ToField } from '../shared/messages.js';
import { Shop } from './shop.js';
import { answerValue } from './value.js';

// A field of a card, in a document that can reach no network at all: what is typed leaves it to the session frame alone, which sends it
// to the gateway.

type Opened = Extract<ToField, { type: 'open' }>;

/** Properties of `iframeStyles` that a shop may set; none of them loads anything. */
const STYLE = /^(color|opacity|caret-color|(font|letter|line|text|word)-[a-z-]+|font|padding(-[a-z-]+)?)$/;
const LONGEST_STYLE = 200;

const input = document.getElementById('field') as HTMLInputElement;
let opened: Opened | undefined;
let cvvLength = 0;

const shop = new Shop<ToField, FromField>((message) => {
  if (message.type === 'open') open(message);
  else if (message.type === 'look') show(message.look);
  else if (message.type === 'focus') input.focus();
  else if (message.type === 'invalid') showError(message.error);
  else if (message.type === 'length') {
    cvvLength = message.length;
    tellState();
  } else if (message.type === 'clear') {
    input.value = '';
    tellState();
  }
});

function open(message: Opened): void {
  if (opened) return;
  opened = message;
  const isNumber = message.field === 'card.number';
  input.autocomplete = isNumber ? 'cc-number' : 'cc-csc';
  input.name = isNumber ? 'cardnumber' : 'cvc';
  input.maxLength = isNumber ? MAX_PAN_DIGITS + 5 : 4;
  if (message.isMasked) input.type = 'password';
  input.disabled = false;
  show(message.look);
  tellState();
}

function show(look: FieldLook): void {
  const { style } = input;
  document.documentElement.lang = look.lang;
  document.documentElement.style.colorScheme = look.colorScheme;
  input.setAttribute('aria-label', look.label);
  input.placeholder = look.placeholder;
  // Numbers are read from left to right in every script.
  style.textAlign = look.dir === 'rtl' ? 'right' : 'left';
  for (const [name, value] of Object.entries(look.style))
    if (STYLE.test(name) && value.length <= LONGEST_STYLE) style.setProperty(name, value);
  style.setProperty('--placeholder', look.placeholderColor);
}

function showError(error: string): void {
  input.setAttribute('aria-invalid', String(error !== ''));
  const place = document.getElementById('error');
  if (place) place.textContent = error;
}

const digits = (): string => input.value.replaceAll(/\D/g, '');

function tellState(): void {
  if (!opened) return;
  const typed = digits();
  const isEmpty = typed === '';
  if (opened.field === 'card.cvv') {
    const isValid = cvvLength > 0 ? typed.length === cvvLength : typed.length === 3 || typed.length === 4;
    shop.tell({ type: 'state', isEmpty, isValid, brands: [] });
  } else
    shop.tell({
      type: 'state',
      isEmpty,
      isValid: isCardNumber(typed, opened.brands),
      ...(typed.length >= BIN_DIGITS && { bin: typed.slice(0, BIN_DIGITS) }),
      brands: candidateBrands(typed, opened.brands).map(({ key }) => key),
    });
}

/** Shows the digits in groups, the caret behind the same digit. */
function format(): void {
  const isNumber = opened?.field === 'card.number';
  const most = isNumber ? MAX_PAN_DIGITS : 4;
  const caret = input.value.slice(0, input.selectionStart ?? undefined).replaceAll(/\D/g, '').length;
  const typed = digits().slice(0, most);
  const shown = isNumber && opened?.isGrouped ? grouped(typed) : typed;
  if (shown === input.value) return;
  input.value = shown;
  let at = 0;
  for (let passed = 0; passed < caret && at < shown.length; at++) if (shown[at] !== ' ') passed++;
  input.setSelectionRange(at, at);
}

input.addEventListener('input', () => {
  format();
  tellState();
});
input.addEventListener('focus', () => shop.tell({ type: 'focus' }));
input.addEventListener('blur', () => shop.tell({ type: 'blur' }));
input.addEventListener('keydown', ({ key }) => {
  if (key === 'Enter') shop.tell({ type: 'enter' });
});

answerValue(() => opened && { checkoutId: opened.checkoutId, value: [opened.field, digits()] });
