import { Button } from '@tillbridge/panel-kit/components/button.js';
import { Choice, Form, Select } from '@tillbridge/panel-kit/components/field.js';
import { Technical } from '@tillbridge/panel-kit/components/technical.js';
import { detailOf, RefusedError } from '@tillbridge/panel-kit/refused-error.js';
import { useChosen, useRedraw } from '@tillbridge/panel-kit/state.js';
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { SaleRequest } from '../api/agent-client.js';
import type { Sale, Terminal } from '../api/answers.js';
import { digitsOf, typed, typedAmount } from '../model/amount-entry.js';
import {
  type AmountPart,
  NO_DIGITS,
  type PartDigits,
  partAmounts,
  partsAllowed,
} from '../model/amount-parts.js';
import type { LiveStore } from '../model/live-store.js';
import { newReference, referenceBytes } from '../model/new-reference.js';
import { typeText } from '../model/sale-words.js';
import { terminalLabel } from '../model/terminal-label.js';
import { TerminalPicture } from '../pictures/terminal-picture.js';
import type { TextKey } from '../texts/en.js';
import { FAULTS, faultWords } from '../texts/faults.js';
import { money, t } from '../texts/texts.js';
import { FaultNote } from './fault-note.js';
import { Say } from './say.js';

const TYPES: readonly Sale['type'][] = ['sale', 'refund', 'preauthorization'];

const STARTS: Readonly<Record<Sale['type'], TextKey>> = {
  sale: 'chargeOn',
  refund: 'refundOn',
  preauthorization: 'holdOn',
};

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '00', '0', 'back'] as const;

type Key = (typeof KEYS)[number];

/** Currencies that can be chosen where the store names none. */
const CURRENCIES = ['EUR', 'USD', 'GBP', 'CHF', 'BRL'];

/** Starts a sale, a refund or a preauthorization on a terminal. */
export function StartForm({
  store,
  terminal,
}: {
  readonly store: LiveStore;
  readonly terminal: Terminal;
}): JSX.Element {
  const home = useChosen(store.view, ({ status }) => status?.store.currency);
  const status = useChosen(store.view, (all) => all.status);
  const [digits, setDigits] = useState(NO_DIGITS);
  const [chosenPart, setPart] = useState<AmountPart>('purchase');
  const [type, setType] = useState<Sale['type']>('sale');
  const [chosen, setCurrency] = useState<string>();
  const currency = chosen ?? home ?? 'EUR';
  const currencies = [...new Set([...(home ? [home] : []), ...CURRENCIES])];
  const parts: readonly AmountPart[] =
    type === 'sale' ? partsAllowed((right) => store.may(right), status, currency) : ['purchase'];
  const part = parts.includes(chosenPart) ? chosenPart : 'purchase';
  const amounts = partAmounts(digits, parts, currency);
  const { amount } = amounts;
  const types = TYPES.filter((each) => store.may(each === 'refund' ? 'refund' : 'sell'));
  const ready = terminal.state === 'ready';

  const { fault, setFault, start } = useStart(store, { type, ...amounts, currency, terminalId: terminal.id });

  const enter = (next: string) => {
    setFault(undefined);
    setDigits((all) => ({ ...all, [part]: next }));
  };
  const shownOf = (each: AmountPart) => money(typedAmount(digits[each], currency), currency);
  return (
    <Form label={t('newSale')} onSubmit={start}>
      <div class="start">
        <div class="start-words">
          <div class="start-head">
            <Choice
              label={t('kind')}
              options={types.map((value) => ({ value, label: typeText(value) }))}
              value={type}
              onChange={setType}
            />
            <Select
              label={t('currency')}
              options={currencies.map((value) => ({ value, label: value }))}
              value={currency}
              onChange={setCurrency}
            />
          </div>
          {parts.length > 1 && (
            <div class="start-parts">
              <Choice
                label={t('amountParts')}
                options={parts.map((value) => ({ value, label: partLabel(value, digits, shownOf(value)) }))}
                value={part}
                onChange={setPart}
              />
            </div>
          )}
          <AmountEntry
            label={t(part === 'purchase' ? 'amount' : part)}
            digits={digits[part]}
            shown={shownOf(part)}
            onEnter={enter}
          />
        </div>
        <Keypad onKey={(key) => enter(typed(digits[part], key))} />
        <div class="start-end">
          {fault && (
            <div role="alert">
              <p class="field-fault">{fault.text}</p>
              <Technical text={fault.detail} />
            </div>
          )}
          <div class="start-picture">
            <TerminalPicture deviceType={terminal.deviceType} size={120} />
            <Readiness terminal={terminal} />
          </div>
          <Button
            type="submit"
            kind="primary"
            size="large"
            icon="card"
            disabled={!ready || types.length === 0}
          >
            {t(STARTS[type], { amount: money(amount, currency), terminal: terminalLabel(terminal) })}
          </Button>
        </div>
      </div>
    </Form>
  );
}

/** A part, with its amount where it has one. */
function partLabel(part: AmountPart, digits: PartDigits, shown: string): string {
  return digits[part] === '' ? t(part) : `${t(part)} ${shown}`;
}

/** Whether the terminal can sell, else what staff does about it. */
function Readiness({ terminal }: { readonly terminal: Terminal }): JSX.Element {
  const { state, fault, reason } = terminal;
  const name = terminalLabel(terminal);
  if (state === 'ready') return <p class="soft">{t('terminalReady', { terminal: name })}</p>;
  if (state === 'busy') return <p class="soft">{t('terminalBusy', { terminal: name })}</p>;
  const words = faultWords('line', fault) ?? FAULTS.line.lost;
  return (
    <div>
      <FaultNote todo={t(words[0], { terminal: name })} detail={reason} />
      <Say text={t(words[1])} />
    </div>
  );
}

/** The amount, typed on a keyboard: it grows from its end, wherever the cursor stands; one that is selected is replaced. */
function AmountEntry({
  label,
  digits,
  shown,
  onEnter,
}: {
  readonly label: string;
  readonly digits: string;
  readonly shown: string;
  readonly onEnter: (digits: string) => void;
}): JSX.Element {
  const redraw = useRedraw();
  const press = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey } = event;
    const isBack = key === 'Backspace' || key === 'Delete';
    if (ctrlKey || metaKey || altKey || !(isBack || /^\d$/.test(key))) return;
    const { selectionStart, selectionEnd, value } = event.currentTarget as HTMLInputElement;
    const isAll = selectionStart === 0 && selectionEnd === value.length;
    onEnter(typed(isAll ? '' : digits, isBack ? 'back' : key));
    event.preventDefault();
  };
  return (
    <input
      class="start-amount sale-amount numeric"
      aria-label={label}
      inputMode="none"
      autoComplete="off"
      value={shown}
      onKeyDown={press}
      onInput={({ currentTarget }) => {
        onEnter(digitsOf(currentTarget.value));
        redraw();
      }}
    />
  );
}

/** Why a sale did not start. */
interface StartFault {
  readonly text: string;
  readonly detail?: string | undefined;
}

/** Starts the requested sale; `fault`: why it did not start. */
function useStart(store: LiveStore, requested: Omit<SaleRequest, 'reference'>) {
  const [fault, setFault] = useState<StartFault>();
  // After a lost answer the same reference is sent again: it is the same sale.
  const unanswered = useRef<{ readonly key: string; readonly reference: string } | undefined>(undefined);
  const start = async () => {
    if (Number(requested.amount) === 0) {
      setFault({ text: t('enterAmount') });
      return;
    }
    const key = JSON.stringify(requested);
    const { till } = store.view.value.caller;
    const reference =
      unanswered.current?.key === key
        ? unanswered.current.reference
        : newReference(till, Date.now(), referenceBytes());
    unanswered.current = { key, reference };
    try {
      await store.start({ reference, ...requested });
      unanswered.current = undefined;
    } catch (error) {
      if (error instanceof RefusedError) unanswered.current = undefined;
      const { message } = error as Error;
      const text = error instanceof RefusedError ? message : `${message} ${t('sameSaleAgain')}`;
      setFault({ text, detail: detailOf(error) });
    }
  };
  return { fault, setFault, start };
}

function Keypad({ onKey }: { readonly onKey: (key: Key) => void }): JSX.Element {
  return (
    <fieldset class="keypad">
      <legend class="reader">{t('keypad')}</legend>
      {KEYS.map((key) => (
        <Button key={key} size="large" label={key === 'back' ? t('delete') : key} onClick={() => onKey(key)}>
          {key === 'back' ? '⌫' : key}
        </Button>
      ))}
    </fieldset>
  );
}
