import { Button } from '@tillbridge/panel-kit/components/button.js';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { act } from '../model/actions.js';
import './pin-pad.css';

const DIGITS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const;
/** Digits that a PIN may have (ISO 9564-1). */
const MIN_DIGITS = 4;
const MAX_DIGITS = 12;

/** The keys of a PIN pad. Keys of the keyboard work while one of them has the focus: ENTER behind typed digits is OK. */
export function PinPad({ id }: { readonly id: string }): JSX.Element {
  const [digits, setDigits] = useState('');
  const [typed, setTyped] = useState(false);
  const add = (digit: string) => setDigits((before) => (before + digit).slice(0, MAX_DIGITS));
  const enter = async (pin: string) => {
    setDigits('');
    setTyped(false);
    await act(id, 'pin', { pin });
  };
  const press = (event: KeyboardEvent) => {
    const isOnDigit = /^\d$/.test((event.target as HTMLElement).textContent ?? '');
    if (/^\d$/.test(event.key)) {
      add(event.key);
      setTyped(true);
    } else if (event.key === 'Enter' && isOnDigit && typed && digits.length >= MIN_DIGITS) void enter(digits);
    else if (event.key === 'Backspace') setDigits((before) => before.slice(0, -1));
    else if (event.key === 'Escape') void enter('cancel');
    else return;
    event.preventDefault();
  };
  return (
    <fieldset class="pin" aria-label={`PIN pad, ${id}`} onKeyDown={press}>
      <output class="pin-digits" aria-label="Digits entered">
        {digits === '' ? 'PIN' : '•'.repeat(digits.length)}
      </output>
      {DIGITS.map((digit) => (
        <Button key={digit} onClick={() => add(digit)}>
          {digit}
        </Button>
      ))}
      <Button kind="danger" onClick={() => enter('cancel')}>
        Cancel
      </Button>
      <Button onClick={() => add('0')}>0</Button>
      <Button kind="primary" disabled={digits.length < MIN_DIGITS} onClick={() => enter(digits)}>
        OK
      </Button>
      <Button size="small" kind="quiet" onClick={() => enter('bypass')}>
        Skip
      </Button>
      <Button size="small" kind="quiet" disabled={digits === ''} onClick={() => setDigits('')}>
        Clear
      </Button>
    </fieldset>
  );
}
