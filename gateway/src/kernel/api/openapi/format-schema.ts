import type { Format } from '../catalogue/rows/format.js';
import { characterPattern } from '../format-error.js';
import type { JsonObject } from './json.js';

const DAY = '(19|20)\\d{2}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])';

/** JSON Schema (2020-12) of a value of the format. It is text: forms know nothing else. */
export function formatSchema(format: Format): JsonObject {
  switch (format.kind) {
    case 'text':
      return { type: 'string', minLength: format.min, maxLength: format.max };
    case 'characters':
      return { type: 'string', pattern: characterPattern(format) };
    case 'pattern':
      return { type: 'string', pattern: format.pattern };
    case 'one-of':
      return { type: 'string', enum: format.values };
    case 'list-of': {
      const item = `(${format.values.join('|')})`;
      return { type: 'string', pattern: `^${item}(,${item})*$` };
    }
    case 'integer':
      return {
        type: 'string',
        pattern: '^\\d{1,15}$',
        description: `A whole number from ${format.min} to ${format.max}.`,
        'x-minimum': format.min,
        'x-maximum': format.max,
      };
    case 'date':
      return { type: 'string', pattern: `^${DAY}$` };
    case 'timestamp':
      return { type: 'string', pattern: `^${DAY} ([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d$` };
    case 'url':
      return { type: 'string', format: 'uri', minLength: format.min, maxLength: format.max };
    case 'cron':
      return { type: 'string', maxLength: 256, description: 'A field or expression of a schedule.' };
  }
}
