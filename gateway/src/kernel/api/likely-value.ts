import { editDistance } from '@tillbridge/wire/text/edit-distance.js';
import type { Format } from './catalogue/rows/format.js';
import { formatError } from './format-error.js';

/** Longest value for which a likely one is looked for. */
const MAX_LENGTH = 64;
/** A value of a list that is shorter than this is not taken for a slip of another one. */
const MIN_SLIP_LENGTH = 5;
const MAX_SLIPS = 2;

const TRUTH: Readonly<Record<string, string>> = {
  1: 'true',
  yes: 'true',
  on: 'true',
  0: 'false',
  no: 'false',
  off: 'false',
};

/**
 * What a value that breaks its format was likely meant to be, such as `10.50` for `10,5`; undefined where that is not plain. Pure.
 * Not for sensitive values: it shows what was sent in another form.
 */
export function likelyValue(value: string, format: Format): string | undefined {
  if (value.length > MAX_LENGTH) return undefined;
  const likely = candidates(value.trim(), format).find(
    (each) => each !== value && formatError(each, format) === undefined,
  );
  return likely === '' ? undefined : likely;
}

/** Other forms of a value, the likeliest first. Those of two meanings are left out, such as `1,000`. */
function candidates(value: string, format: Format): readonly string[] {
  switch (format.kind) {
    case 'one-of':
      return [...numberForms(value), ...listed(value, format.values)];
    case 'list-of':
      return [
        value
          .split(/[,;\s]+/)
          .map((item) => listed(item, format.values)[0] ?? item)
          .join(','),
      ];
    case 'date':
    case 'timestamp':
      return dateForms(value);
    case 'url':
      return [value, `https://${value}`];
    case 'text':
    case 'cron':
      return [value];
    default:
      return [
        value,
        value.toUpperCase(),
        value.toLowerCase(),
        ...numberForms(value),
        ...(/^\d\d$/.test(value) ? [`20${value}`] : []),
      ];
  }
}

function listed(value: string, values: readonly string[]): readonly string[] {
  const plain = (text: string) => text.toUpperCase().replace(/[\s-]+/g, '_');
  const meant = TRUTH[value.toLowerCase()];
  const alike = values.filter((each) => plain(each) === plain(value));
  const near =
    value.length < MIN_SLIP_LENGTH
      ? []
      : values.filter((each) => editDistance(plain(value), plain(each), MAX_SLIPS) !== undefined);
  return [...(meant === undefined ? [] : [meant]), ...alike, ...(near.length === 1 ? near : [])];
}

/** A number with a comma, one decimal, none or a currency next to it; a digit without its zero. */
function numberForms(value: string): readonly string[] {
  const [, digits = ''] =
    /^(?:[A-Za-z]{3}|\p{Sc})?\s*(\d[\d.,' ]*)\s*(?:[A-Za-z]{3}|\p{Sc})?$/u.exec(value) ?? [];
  const [, whole = '', decimals = ''] =
    /^(\d+|\d{1,3}(?:[.,' ]\d{3})+)(?:[.,](\d{1,2}))?$/.exec(digits.trim()) ?? [];
  const isGrouped = /\D/.test(whole);
  // Three digits behind a dot or comma may be thousands or decimals.
  if (whole === '' || (isGrouped && decimals === '')) return [];
  const plain = whole.replace(/\D/g, '');
  return [`${plain}.${decimals.padEnd(2, '0')}`, plain.padStart(2, '0')].filter(
    (each) => decimals === '' || each.includes('.'),
  );
}

/** Days of other notations whose order of day and month is plain, with and without the time of day. */
function dateForms(value: string): readonly string[] {
  const [, date = value, time = ''] = /^(\S+?)(?:[T\s](\d{2}:\d{2}(?::\d{2})?)\S*)?$/.exec(value) ?? [];
  const [, day = '', month = '', year = ''] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(date) ?? [];
  const [, first = year, second = month, third = day] =
    /^(\d{4})[-/.]?(\d{1,2})[-/.]?(\d{1,2})$/.exec(date) ?? [];
  const iso = `${first}-${second.padStart(2, '0')}-${third.padStart(2, '0')}`;
  const whole = time.length === 5 ? `${time}:00` : time || '00:00:00';
  return [iso, `${iso} ${whole}`];
}
