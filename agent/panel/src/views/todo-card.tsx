import { Badge } from '@tillbridge/panel-kit/components/badge.js';
import { Button } from '@tillbridge/panel-kit/components/button.js';
import { Card, Empty } from '@tillbridge/panel-kit/components/card.js';
import { Confirm } from '@tillbridge/panel-kit/components/dialog.js';
import { List, ListItem } from '@tillbridge/panel-kit/components/list.js';
import { Technical } from '@tillbridge/panel-kit/components/technical.js';
import { useChosen } from '@tillbridge/panel-kit/state.js';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Queue, Status } from '../api/answers.js';
import type { LiveStore } from '../model/live-store.js';
import { type Todo, todosOf } from '../model/todo.js';
import { money, t } from '../texts/texts.js';
import { acting } from './acting.js';
import { ResolveDialog } from './resolve-dialog.js';

type LateDecline = Queue['lateDeclines'][number];

/** The id of the part of the page, to go to it. */
export const TODO_ID = 'to-do';

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
    const isKnown = todo.kind !== 'parked' || todo.sale !== undefined;
    if (isKnown || (await acting(() => store.act(store.client.sale(referenceOf(todo))))))
      setDoing(referenceOf(todo));
  };
  return (
    <div class="to-do" id={TODO_ID} tabIndex={-1}>
      <Card title={t('toDo')} tools={todos.length > 0 && <Badge tone="warn">{todos.length}</Badge>}>
        {todos.length === 0 ? (
          <Empty>{nothingText(status, queue)}</Empty>
        ) : (
          <List label={t('toDo')}>
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
    </div>
  );
}

/** What stands where nothing is listed: that there is nothing, unless it is not known, or not for this till. */
function nothingText(status: Status | undefined, queue: Queue | undefined): string {
  if (!status) return '…';
  const { lateDeclines } = status.queue;
  return queue || lateDeclines === 0 ? t('nothingToDo') : t('lateDeclinesHidden', { count: lateDeclines });
}

/** The sale that it is about; of a refused device its terminal. */
function referenceOf(todo: Todo): string {
  if (todo.kind === 'refused-device') return `terminal ${todo.device.terminalId}`;
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
  if (todo.kind === 'refused-device') return <RefusedDevice {...todo.device} />;
  const reference = referenceOf(todo);
  const action = t(todo.kind === 'parked' ? 'resolve' : 'acknowledge');
  return (
    <ListItem
      main={
        todo.kind === 'parked' ? <strong>{t('howDidItEnd')}</strong> : <LateWords {...todo.lateDecline} />
      }
      second={
        <>
          <button type="button" class="link" onClick={onOpen}>
            {t('open')}
          </button>{' '}
          {todo.kind === 'parked' ? (
            <Technical text={todo.parked.reason} />
          ) : (
            t('onTerminal', { id: todo.lateDecline.terminalId })
          )}
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

/** No action of staff mends it: the operator of the gateway runs the command. */
function RefusedDevice({ terminalId, reason }: Status['todos'][number]): JSX.Element {
  return (
    <ListItem
      main={<strong>{t('deviceRefused', { id: terminalId })}</strong>}
      second={<span lang="en">{reason}</span>}
    />
  );
}

function LateWords({ amount, currency, reason, last4Digits }: LateDecline): JSX.Element {
  return (
    <strong>
      {t(reason === 'declined-later' ? 'amountDeclinedLater' : 'amountExpired', {
        amount: money(amount, currency),
      })}
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
  const { reference, amount, currency, reason, detail } = lateDecline;
  return (
    <Confirm
      title={t('notReceived', { amount: money(amount, currency) })}
      action={t('takenNote')}
      onConfirm={() => store.act(store.client.acknowledge(reference))}
      onClose={onClose}
    >
      <p>
        {t(reason === 'expired-offline' ? 'lateExpired' : 'lateDeclined', { reference })} {t('askToPay')}
      </p>
      <Technical text={detail} />
      <p>{t('leavesList')}</p>
    </Confirm>
  );
}
