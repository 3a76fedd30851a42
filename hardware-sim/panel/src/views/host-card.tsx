import { Button } from '@tillbridge/panel-kit/components/button.js';
import { Card } from '@tillbridge/panel-kit/components/card.js';
import { Field, Form } from '@tillbridge/panel-kit/components/field.js';
import { List, ListItem } from '@tillbridge/panel-kit/components/list.js';
import { useChosen } from '@tillbridge/panel-kit/state.js';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ResponseRule } from '../api/types.js';
import { attempt, setRules } from '../model/actions.js';
import { panel } from '../model/model.js';
import { readRules } from '../model/reading.js';

/** What the issuer behind the acquirer host answers otherwise than it would. */
export function HostCard(): JSX.Element {
  const host = useChosen(panel, (now) => now.hostRules);
  const again = (
    <Button size="small" kind="quiet" onClick={() => attempt(readRules)}>
      Ask again
    </Button>
  );
  return (
    <Card title="Issuer rules" tools={again}>
      {host.kind === 'rules' ? (
        <Rules rules={host.rules} />
      ) : (
        <p class="soft">{host.kind === 'absent' ? `There are none: ${host.reason}` : 'Reading…'}</p>
      )}
    </Card>
  );
}

function Rules({ rules }: { readonly rules: readonly ResponseRule[] }): JSX.Element {
  const [last4Digits, setDigits] = useState('');
  const [responseCode, setCode] = useState('');
  const isRule = /^[0-9A-Z]{2}$/.test(responseCode) && /^(\d{4})?$/.test(last4Digits);
  const add = async () => {
    if (!isRule) return;
    const rule = { responseCode, ...(last4Digits !== '' && { last4Digits }) };
    if (await setRules([...rules, rule])) setCode('');
  };
  return (
    <>
      {rules.length > 0 && (
        <List label="Rules of the issuer">
          {rules.map((rule, at) => (
            <ListItem
              key={at}
              main={rule.responseCode ? `answers ${rule.responseCode}` : `sends ${rule.script}`}
              second={about(rule)}
              end={
                <Button
                  size="small"
                  kind="quiet"
                  label={`Remove rule ${at + 1}`}
                  onClick={() => setRules(rules.filter((_, place) => place !== at))}
                >
                  Remove
                </Button>
              }
            />
          ))}
        </List>
      )}
      <Form label="New rule" onSubmit={add}>
        <Field
          label="Last four digits; empty: every card"
          value={last4Digits}
          onInput={setDigits}
          inputMode="numeric"
          maxLength={4}
        />
        <Field
          label="Response code, such as 51"
          value={responseCode}
          onInput={(code) => setCode(code.toUpperCase())}
          maxLength={2}
        />
        <Button type="submit" disabled={!isRule}>
          Add the rule
        </Button>
      </Form>
    </>
  );
}

function about({ last4Digits, terminalId, amountMinor }: ResponseRule): string {
  const parts = [
    last4Digits && `card ${last4Digits}`,
    terminalId && `terminal ${terminalId}`,
    amountMinor !== undefined && `amount ${amountMinor} (minor units)`,
  ].filter((part) => typeof part === 'string');
  return parts.length === 0 ? 'every message' : parts.join(', ');
}
