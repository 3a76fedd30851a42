import { Button } from '@tillbridge/panel-kit/components/button.js';
import { Field, Form } from '@tillbridge/panel-kit/components/field.js';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { act } from '../model/actions.js';

/** What a till requests from the cardholder: digits and ENTER, ENTER alone, or cancel. */
export function InputPad({ id }: { readonly id: string }): JSX.Element {
  const [digits, setDigits] = useState('');
  const enter = async (input: string) => {
    if (await act(id, 'input', { input })) setDigits('');
  };
  return (
    <Form label={`Keys, ${id}`} onSubmit={() => enter(digits)}>
      <Field
        label="Digits in front of ENTER"
        value={digits}
        onInput={setDigits}
        inputMode="numeric"
        maxLength={32}
      />
      <div class="sim-row">
        <Button type="submit" size="small" kind="primary" disabled={!/^\d*$/.test(digits)}>
          Enter
        </Button>
        <Button size="small" onClick={() => enter('cancel')}>
          Cancel
        </Button>
      </div>
    </Form>
  );
}
