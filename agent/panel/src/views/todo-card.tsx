import { Badge } from '@tillbridge/protocol/panel/components/badge.js';
import { Button } from '@tillbridge/protocol/panel/components/button.js';
import { Card, Empty } from '@tillbridge/protocol/panel/components/card.js';
import { Confirm } from '@tillbridge/protocol/panel/components/dialog.js';
import { List, ListItem } from '@tillbridge/protocol/panel/components/list.js';
import { amountText } from '@tillbridge/protocol/panel/format.js';
import { useChosen } from '@tillbridge/protocol/panel/state.js';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Queue } from '../api/answers.js';
import type { LiveStore } from '../model/live-store.js';
import { type Todo, todosOf } from '../model/todo.js';
import { ResolveDialog } from './resolve-dialog.js';

type LateDecline = Queue['lateDeclines'][number];

/** What staff has to do, each with its one action. */
export function TodoCard({
  store,
  onOpen,
}: {
  readonly store: LiveStore;
  readonly onOpen: (reference: string) => void;
}): JSX.Element {
  const status = useChosen(store.view, (view) => view.status);
  const queue = useChosen(store.view, (view) => view.queue);
  const sales = useChosen(store.view, (view) => view.sales);
  const [doing, setDoing] = useState<string>();
  const todos = todosOf(status, queue, sales);
  const current = todos.find((todo) => referenceOf(todo) === doing);
  const done = () => setDoing(undefined);
  const begin = async (todo: Todo) => {
    // The parked sale may be older than the sales that are listed.
    if (todo.kind === 'parked' && !todo.sale) await store.act(store.client.sale(todo.parked.reference));
    setDoing(referenceOf(todo));
  };
  return (
    <Card title="To do" tools={todos.length > 0 && <Badge tone="warn">{todos.length}</Badge>}>
      {todos.length === 0 ? (
        <Empty>Nothing to do.</Empty>
      ) : (
        <List label="To do">
          {todos.map((todo) => (
            <TodoItem
              key={referenceOf(todo)}
              todo={todo}
              may={store.may('resolve')}
              onBegin={() => begin(todo)}
              onOpen={() => onOpen(referenceOf(todo))}
            />
          ))}
        </List>
      )}
      {current?.kind === 'late-decline' && (
        <AcknowledgeDialog store={store} lateDecline={current.lateDecline} onClose={done} />
      )}
      {current?.kind === 'parked' && current.sale && (
        <ResolveDialog store={store} sale={current.sale} onClose={done} />
      )}
    </Card>
  );
}

function referenceOf(todo: Todo): string {
  return todo.kind === 'parked' ? todo.parked.reference : todo.lateDecline.reference;
}

function TodoItem({
  todo,
  may,
  onBegin,
  onOpen,
}: {
  readonly todo: Todo;
  readonly may: boolean;
  readonly onBegin: () => Promise<void>;
  readonly onOpen: () => void;
}): JSX.Element {
  const reference = referenceOf(todo);
  const action = todo.kind === 'parked' ? 'Resolve' : 'Acknowledge';
  return (
    <ListItem
      main={
        todo.kind === 'parked' ? <strong>How did this sale end?</strong> : <LateWords {...todo.lateDecline} />
      }
      second={
        <>
          <button type="button" class="link" onClick={onOpen}>
            {reference}
          </button>{' '}
          {todo.kind === 'parked' ? todo.parked.reason : `terminal ${todo.lateDecline.terminalId}`}
        </>
      }
      end={
        may && (
          <Button size="small" kind="primary" label={`${action} ${reference}`} onClick={onBegin}>
            {action}
          </Button>
        )
      }
    />
  );
}

function LateWords({ amount, currency, reason, last4Digits }: LateDecline): JSX.Element {
  return (
    <strong>
      {amountText(amount, currency)} {reason === 'declined-later' ? 'declined later' : 'expired'}
      {last4Digits === undefined ? '' : ` · •••• ${last4Digits}`}
    </strong>
  );
}

function AcknowledgeDialog({
  store,
  lateDecline,
  onClose,
}: {
  readonly store: LiveStore;
  readonly lateDecline: LateDecline;
  readonly onClose: () => void;
}): JSX.Element {
  const { reference, amount, currency, detail } = lateDecline;
  return (
    <Confirm
      title={`${amountText(amount, currency)} was not received`}
      action="I have taken note"
      onConfirm={() => store.act(store.client.acknowledge(reference))}
      onClose={onClose}
    >
      <p>
        Sale {reference} was approved offline and{' '}
        {lateDecline.reason === 'expired-offline' ? 'expired' : 'declined later'}
        {detail === undefined ? '.' : `: ${detail}.`} Ask the customer to pay it in another way.
      </p>
      <p>It leaves this list, and the card may be taken offline again.</p>
    </Confirm>
  );
}
