import { column, shape, tables } from '@tillbridge/platform/sqlite/table.js';
import { stamp } from './columns.js';

/** What browsers load. */
export const WIDGET_TABLES = tables({
  /** A build of the payment form's script and its pages, kept for as long as a page may still ask for it. */
  widgetBuilds: shape(
    {
      /** SHA-384 of the script in base64, as in `integrity`. */
      hash: column.text(),
      /** Names the pages that belong to the script. */
      cacheVersion: column.text(),
      /** Object: text of each file by its name. */
      files: column.json(),
      /** When it became the newest. */
      sinceMs: column.integer(),
      ...stamp,
    },
    { key: ['hash'], indexes: { since: ['sinceMs'] } },
  ),
});
