import { useChosen } from '@tillbridge/panel-kit/state.js';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { LiveStore } from '../model/live-store.js';
import { selectedTerminal } from '../model/store-view.js';
import { t } from '../texts/texts.js';
import { LastSales } from './last-sales.js';
import { LinkCard } from './link-card.js';
import { OfflineCard } from './offline-card.js';
import { SaleCard } from './sale-card.js';
import { SaleDialog } from './sale-dialog.js';
import { Terminals } from './terminals.js';
import { TodoCard } from './todo-card.js';

/** Everything of the store on one page. */
export function Dashboard({ store }: { readonly store: LiveStore }): JSX.Element {
  const terminal = useChosen(store.view, selectedTerminal);
  const [opened, setOpened] = useState<string>();
  return (
    <main class="dashboard">
      <Terminals store={store} />
      <div class="dashboard-main">
        {terminal ? (
          <SaleCard key={terminal.id} store={store} terminal={terminal} onOpen={setOpened} />
        ) : (
          <p class="empty">{t('readingTerminals')}</p>
        )}
        <LastSales store={store} onOpen={setOpened} />
      </div>
      <div class="dashboard-side">
        <TodoCard store={store} onOpen={setOpened} />
        {terminal && <OfflineCard store={store} terminal={terminal} />}
        <LinkCard store={store} />
      </div>
      {opened !== undefined && (
        <SaleDialog key={opened} store={store} reference={opened} onClose={() => setOpened(undefined)} />
      )}
    </main>
  );
}
