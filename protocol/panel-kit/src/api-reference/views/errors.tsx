import type { JSX } from 'preact';
import { type Column, Table } from '../../components/table.js';
import { useChosen } from '../../state.js';
import type { ErrorRow } from '../model/codes.js';
import { ERRORS, view } from '../model/store.js';
import { Section } from './section.js';
import { Words } from './words.js';

const COLUMNS: readonly Column<ErrorRow>[] = [
  { title: 'HTTP', cell: ({ status }) => <strong>{status}</strong> },
  { title: 'Code', cell: ({ code, resultCode }) => <code>{resultCode ?? code}</code> },
  { title: 'What is wrong', cell: ({ text }) => <Words>{sentence(text)}</Words> },
  {
    title: 'What to do',
    cell: ({ action }) => (
      <span class="soft">
        <Words>{sentence(action)}</Words>
      </span>
    ),
  },
];

/** Every error of the API. */
export function Errors(): JSX.Element | null {
  const errors = useChosen(view, ({ codes }) => codes.errors);
  if (errors.length === 0) return null;
  return (
    <Section id={ERRORS} title="Errors" note={`${errors.length} ways to be refused`}>
      {() => <Table label="Errors" columns={COLUMNS} rows={errors} rowKey={({ code }) => code} />}
    </Section>
  );
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
