import { INBOX_KIND_NAMES } from '../catalogue/administration/inbox.js';
import type { JsonObject } from './json.js';
import { FLAG, INSTANT, listOf, objectOf, oneOf, TEXT, texts } from './schema-parts.js';

const PARAMETER_SCHEMA: JsonObject = objectOf(
  { name: TEXT, required: FLAG, values: listOf(TEXT), value: TEXT },
  ['name', 'required'],
);

const ACTION_SCHEMA: JsonObject = objectOf(
  {
    ...texts('name', 'text', 'money'),
    right: oneOf('administration', 'operator'),
    parameters: listOf(PARAMETER_SCHEMA),
  },
  ['name', 'text', 'money', 'right', 'parameters'],
);

/** Schema of a thing that needs a person, an addition of ours. */
export const INBOX_ITEM_SCHEMA: JsonObject = objectOf(
  {
    kind: oneOf(...INBOX_KIND_NAMES),
    id: TEXT,
    severity: oneOf('critical', 'warning'),
    ...texts('entityId', 'agentId', 'paymentId', 'text', 'detail'),
    since: INSTANT,
    until: INSTANT,
    acknowledgedAt: INSTANT,
    note: TEXT,
    action: ACTION_SCHEMA,
  },
  ['kind', 'id', 'severity', 'text', 'detail', 'since', 'action'],
);

/** What is shown of an action that was carried out. */
export const INBOX_RESOLUTION_PROPERTIES = {
  kind: oneOf(...INBOX_KIND_NAMES),
  id: TEXT,
  outcome: oneOf('done', 'already'),
  state: TEXT,
};
