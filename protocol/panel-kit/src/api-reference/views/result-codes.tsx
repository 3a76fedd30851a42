import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Field, Select } from '../../components/field.js';
import { type Column, Table } from '../../components/table.js';
import { useChosen } from '../../state.js';
import { findCodes, type ResultCodeRow, type ResultGroupRow } from '../model/codes.js';
import { RESULT_CODES, view } from '../model/store.js';
import { Fold } from './fold.js';
import { Meaning } from './meaning.js';
import { Section } from './section.js';
import { Words } from './words.js';

const ALL = 'all';

const CODE_COLUMNS: readonly Column<ResultCodeRow>[] = [
  { title: 'Code', cell: ({ code }) => <code class="result-code">{code}</code> },
  { title: 'Meaning', cell: ({ meaning }) => <Meaning of={meaning} /> },
  {
    title: 'Description, and what to do',
    cell: ({ description, action }) => (
      <>
        {description}
        <p class="soft">
          <Words>{action}</Words>
        </p>
      </>
    ),
  },
];

const GROUP_COLUMNS: readonly Column<ResultGroupRow>[] = [
  { title: 'Pattern', cell: ({ pattern }) => <code class="result-pattern">{pattern}</code> },
  { title: 'Meaning', cell: ({ meaning }) => <Meaning of={meaning} /> },
  {
    title: 'Group, and what to do',
    cell: ({ name, action }) => (
      <>
        {name}
        <p class="soft">
          <Words>{action}</Words>
        </p>
      </>
    ),
  },
];

/** Every result code with what it means for a shop, and the patterns of the API family. */
export function ResultCodes(): JSX.Element | null {
  const { resultCodes, resultGroups } = useChosen(view, ({ codes }) => codes);
  if (resultCodes.length === 0) return null;
  const note = `${resultCodes.length} codes: paid, pending, refused or try again?`;
  return (
    <Section id={RESULT_CODES} title="Result codes" note={note}>
      {() => (
        <>
          <Fold
            title="Patterns for code that reads answers"
            note={`${resultGroups.length}, from top to bottom`}
          >
            {() => (
              <Table
                label="Patterns"
                columns={GROUP_COLUMNS}
                rows={resultGroups}
                rowKey={({ name }) => name}
              />
            )}
          </Fold>
          <CodeTable codes={resultCodes} />
        </>
      )}
    </Section>
  );
}

function CodeTable({ codes }: { readonly codes: readonly ResultCodeRow[] }): JSX.Element {
  const code = useChosen(view, (shown) => shown.code);
  const [meaning, setMeaning] = useState(ALL);
  const meanings = [...new Set(codes.map((row) => row.meaning))];
  const found = findCodes(codes, code, meaning === ALL ? undefined : meaning);
  return (
    <>
      <div class="result-filter">
        <Field
          label="Code, or words of the description"
          type="search"
          value={code}
          onInput={(text) => view.change((old) => ({ ...old, code: text }))}
        />
        <Select
          label="Meaning"
          value={meaning}
          onChange={setMeaning}
          options={[ALL, ...meanings].map((value) => ({ value, label: value }))}
        />
      </div>
      <p class="soft" role="status">
        {found.length} of {codes.length} codes
      </p>
      <Table label="Result codes" columns={CODE_COLUMNS} rows={found} rowKey={(row) => row.code} />
    </>
  );
}
