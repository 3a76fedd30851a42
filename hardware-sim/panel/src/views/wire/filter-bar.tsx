import { Field, Select } from '@tillbridge/panel-kit/components/field.js';
import type { JSX } from 'preact';
import type { RowFilter } from '../../model/sale-tree.js';

const FROM = [
  { value: 'all', label: 'All' },
  { value: 'host', label: 'To the terminal' },
  { value: 'terminal', label: 'From the terminal' },
  { value: 'card', label: 'Card' },
  { value: 'kernel', label: 'Kernel' },
] as const;

/** What rows are looked for. */
export function FilterBar({
  filter,
  onChange,
}: {
  readonly filter: RowFilter;
  readonly onChange: (filter: RowFilter) => void;
}): JSX.Element {
  return (
    <search class="filter">
      <Field
        type="search"
        label="Text or hex"
        value={filter.text}
        onInput={(text) => onChange({ ...filter, text })}
        maxLength={80}
      />
      <Field
        type="search"
        label="Tag, such as 9F26"
        value={filter.tag}
        onInput={(tag) => onChange({ ...filter, tag: tag.toUpperCase().replaceAll(/[^0-9A-Z_]/g, '') })}
        maxLength={20}
      />
      <Select
        label="Direction"
        options={FROM}
        value={filter.from}
        onChange={(from) => onChange({ ...filter, from })}
      />
    </search>
  );
}
