import { Button } from '@tillbridge/panel-kit/components/button.js';
import { Card, Empty } from '@tillbridge/panel-kit/components/card.js';
import { List, ListItem } from '@tillbridge/panel-kit/components/list.js';
import type { JSX } from 'preact';
import { t } from '../texts/texts.js';
import { roleText } from './role-select.js';
import type { ViewProps } from './shell.js';

/** Who is signed in, and with which roles. */
export function AccountView({ client, session, onSignedOut }: ViewProps): JSX.Element {
  const { user, roles, entities } = session;
  const nameOf = (id: string) => entities.find((entity) => entity.id === id)?.name ?? id;
  const signOut = async () => {
    await client.signOut(true);
    onSignedOut();
  };
  return (
    <Card
      title={t('account')}
      tools={
        <Button size="small" onClick={signOut}>
          {t('signOutEverywhere')}
        </Button>
      }
    >
      <p>
        {user.name}, {t('signedInAs', { email: user.email })}
      </p>
      {roles.length === 0 && !user.isOperator ? (
        <Empty>{t('noRoles')}</Empty>
      ) : (
        <List label={t('rolesYouHave')}>
          {user.isOperator && <ListItem main={t('operator')} second={t('allMerchants')} />}
          {roles.map(({ entityId, role }) => (
            <ListItem key={entityId} main={roleText(role)} second={nameOf(entityId)} />
          ))}
        </List>
      )}
    </Card>
  );
}
