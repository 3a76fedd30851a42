import { Button } from '@tillbridge/panel-kit/components/button.js';
import { Card, Empty } from '@tillbridge/panel-kit/components/card.js';
import { type Column, Table } from '@tillbridge/panel-kit/components/table.js';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { AuditRecord, User } from '../api/answers.js';
import type { TextKey } from '../texts/en.js';
import { momentText, t } from '../texts/texts.js';
import type { ViewProps } from './shell.js';

const OUTCOMES: Readonly<Record<AuditRecord['outcome'], TextKey>> = {
  begun: 'outcomeBegun',
  done: 'outcomeDone',
  failed: 'outcomeFailed',
};

/** What was done about the merchant or channel, the newest first. */
export function AuditView({ client }: ViewProps): JSX.Element {
  const [records, setRecords] = useState<readonly AuditRecord[]>();
  const [next, setNext] = useState<number>();
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const [fault, setFault] = useState<string>();
  const load = async (before?: number) => {
    try {
      const page = await client.audit(before);
      setRecords((shown = []) => [...(before === undefined ? [] : shown), ...page.records]);
      setNext(page.next);
    } catch (error) {
      setFault((error as Error).message);
    }
  };
  useEffect(() => {
    void load();
    client.users().then(
      (users: readonly User[]) => setNames(new Map(users.map(({ id, name }) => [id, name]))),
      () => undefined,
    );
  }, []);
  return (
    <Card title={t('audit')}>
      {fault !== undefined && (
        <p class="field-fault" role="alert">
          {fault}
        </p>
      )}
      {records?.length === 0 && <Empty>{t('noRecords')}</Empty>}
      {records && records.length > 0 && (
        <Table
          label={t('audit')}
          columns={columnsWith(names)}
          rows={records}
          rowKey={({ sequence }) => String(sequence)}
        />
      )}
      {next !== undefined && <Button onClick={() => load(next)}>{t('olderRecords')}</Button>}
    </Card>
  );
}

/** @param names of users, by their ids */
function columnsWith(names: ReadonlyMap<string, string>): readonly Column<AuditRecord>[] {
  const person = (text: string) => names.get(text.replace(/^user /, '')) ?? text;
  return [
    { title: t('at'), cell: ({ at }) => <time dateTime={at}>{momentText(at)}</time> },
    { title: t('who'), cell: ({ actor }) => person(actor) },
    { title: t('what'), cell: ({ action }) => action },
    { title: t('about'), cell: ({ subject }) => person(subject) },
    { title: t('outcome'), cell: ({ outcome }) => t(OUTCOMES[outcome]) },
    {
      title: t('detail'),
      cell: ({ detail }) => (
        <code class="record-detail">
          {Object.entries(detail)
            .map(([name, value]) => `${name}: ${String(value)}`)
            .join(', ')}
        </code>
      ),
    },
  ];
}
