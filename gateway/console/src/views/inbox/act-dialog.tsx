import { Confirm } from '@tillbridge/panel-kit/components/dialog.js';
import { Field, Select } from '@tillbridge/panel-kit/components/field.js';
import { showToast } from '@tillbridge/panel-kit/components/toasts.js';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { GatewayClient } from '../../api/gateway-client.js';
import type { InboxItem, InboxParameter, InboxResolution } from '../../api/inbox-answers.js';
import type { TextKey } from '../../texts/en.js';
import { t } from '../../texts/texts.js';

const NAMES: Readonly<Record<string, TextKey>> = {
  note: 'paramNote',
  decision: 'paramDecision',
  serial: 'paramSerial',
  deviceType: 'paramDeviceType',
  terminalId: 'paramTerminalId',
};

const DECISIONS: Readonly<Record<string, TextKey>> = {
  release: 'decisionRelease',
  refuse: 'decisionRefuse',
  retry: 'decisionRetry',
  drop: 'decisionDrop',
};

/** Asks before the one action on a thing, and states what it does to the money. Of several people who confirm at once, one does it. */
export function ActDialog({
  client,
  item: { kind, id, text, detail, action },
  title,
  onDone,
  onClose,
}: {
  readonly client: GatewayClient;
  readonly item: InboxItem;
  readonly title: string;
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
}): JSX.Element {
  const [values, setValues] = useState<Readonly<Record<string, string>>>(
    Object.fromEntries(action.parameters.map(({ name, value = '' }) => [name, value])),
  );
  const isComplete = action.parameters.every(({ name, required }) => !required || values[name]?.trim());
  const act = async () => {
    const form = Object.fromEntries(
      Object.entries(values)
        .map(([name, value]) => [name, value.trim()])
        .filter(([, value]) => value !== ''),
    );
    try {
      const path = `/v1/inbox/${encodeURIComponent(kind)}/${encodeURIComponent(id)}/resolution`;
      const { outcome, state } = await client.post<InboxResolution>(path, form);
      if (outcome === 'done') showToast(t('actDone', { state }), 'good');
      else showToast(t('actAlready', { state }), 'warn');
    } finally {
      // What was refused may have changed, too.
      await onDone();
    }
  };
  return (
    <Confirm title={title} action={t('act')} disabled={!isComplete} onConfirm={act} onClose={onClose}>
      <div class="act-words" lang="en">
        <p>{text}</p>
        {detail !== '' && <p class="soft">{detail}</p>}
        <p>
          <strong>{action.text}</strong>
        </p>
      </div>
      <p class="act-money" lang="en">
        {t('theMoney', { text: action.money })}
      </p>
      {action.parameters.map((parameter) => (
        <Parameter
          key={parameter.name}
          parameter={parameter}
          value={values[parameter.name] ?? ''}
          onChange={(value) => setValues((now) => ({ ...now, [parameter.name]: value }))}
        />
      ))}
    </Confirm>
  );
}

function Parameter({
  parameter: { name, required, values },
  value,
  onChange,
}: {
  readonly parameter: InboxParameter;
  readonly value: string;
  readonly onChange: (value: string) => void;
}): JSX.Element {
  const known = NAMES[name];
  const label = known ? t(known) : name;
  if (!values) {
    return (
      <Field
        label={label}
        value={value}
        onInput={onChange}
        lines={name === 'note'}
        required={required}
        maxLength={500}
      />
    );
  }
  const options = values.map((each) => {
    const decision = DECISIONS[each];
    return { value: each, label: decision ? t(decision) : each };
  });
  return (
    <Select
      label={label}
      options={[{ value: '', label: t('choose') }, ...options]}
      value={value}
      onChange={onChange}
    />
  );
}
