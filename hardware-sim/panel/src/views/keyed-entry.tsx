import { Button } from '@tillbridge/panel-kit/components/button.js';
import { Dialog } from '@tillbridge/panel-kit/components/dialog.js';
import { Field, Form } from '@tillbridge/panel-kit/components/field.js';
import { useChosen } from '@tillbridge/panel-kit/state.js';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { act, give } from '../model/actions.js';
import { panel } from '../model/model.js';

/** Keys a card in: the one in hand, or a published test number. */
export function KeyedEntry({
  id,
  name,
  onClose,
}: {
  readonly id: string;
  readonly name: string;
  readonly onClose: () => void;
}): JSX.Element {
  const hand = useChosen(panel, (now) => now.hand);
  const [number, setNumber] = useState('');
  const digits = number.replace(/[ -]/g, '');
  const submit = async () => {
    if (await act(id, 'present', { number: digits })) onClose();
  };
  const useHand = async () => {
    if (await give(id, 'manual')) onClose();
  };
  return (
    <Dialog title={`Key in on ${name}`} onClose={onClose}>
      <Form label="Card number" onSubmit={submit}>
        <Field
          label="Card number of a simulated card; real numbers are refused"
          value={number}
          onInput={setNumber}
          inputMode="numeric"
          autoComplete="off"
          maxLength={23}
        />
        <div class="dialog-actions">
          <Button onClick={useHand}>{`Key in ${hand}`}</Button>
          <Button kind="primary" type="submit" disabled={!/^\d{12,19}$/.test(digits)}>
            Key in the number
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
