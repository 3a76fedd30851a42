import { Button } from '@tillbridge/panel-kit/components/button.js';
import { Field, Form, Select } from '@tillbridge/panel-kit/components/field.js';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { filterOf, type PaymentFilter } from '../../model/payment-search.js';
import { t } from '../../texts/texts.js';

/** The filter of the list. */
export function SearchForm({
  filter,
  onSearch,
}: {
  readonly filter: PaymentFilter;
  readonly onSearch: (filter: PaymentFilter) => void;
}): JSX.Element {
  const [text, setText] = useState(filter.text);
  useEffect(() => setText(filter.text), [filter.text]);
  const set = (change: Partial<PaymentFilter>) => onSearch({ ...filter, text: text.trim(), ...change });
  return (
    <div class="search">
      <Form label={t('search')} onSubmit={() => set({ by: undefined })}>
        <div class="search-line">
          <Field label={t('searchHint')} type="search" value={text} onInput={setText} maxLength={255} />
          <Button type="submit" kind="primary">
            {t('search')}
          </Button>
        </div>
      </Form>
      <fieldset class="search-filters">
        <legend class="reader">{t('filters')}</legend>
        <Select
          label={t('outcomeFilter')}
          value={filter.outcome}
          options={[
            { value: '', label: t('anyOutcome') },
            { value: 'approved', label: t('approved') },
            { value: 'declined', label: t('declined') },
          ]}
          onChange={(outcome) => set({ outcome })}
        />
        <Select
          label={t('typeFilter')}
          value={filter.types}
          options={[
            { value: '', label: t('anyType') },
            { value: 'DB,PA.CP', label: t('typeSales') },
            { value: 'PA', label: t('typePA') },
            { value: 'CP', label: t('typeCP') },
            { value: 'RF', label: t('typeRF') },
            { value: 'RV', label: t('typeRV') },
            { value: 'CB', label: t('typeCB') },
          ]}
          onChange={(types) => set({ types })}
        />
        <Field label={t('from')} type="date" value={filter.from} onInput={(from) => set({ from })} />
        <Field label={t('to')} type="date" value={filter.to} onInput={(to) => set({ to })} />
        <Button size="small" kind="quiet" onClick={() => onSearch(filterOf({}))}>
          {t('clearFilters')}
        </Button>
      </fieldset>
    </div>
  );
}
