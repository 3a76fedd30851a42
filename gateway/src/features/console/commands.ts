import { type Command, Option } from 'commander';
import { USER_ROLE_NAMES, type UserRole } from '../../kernel/api/catalogue/administration/user-role-names.js';
import { USER_ROLES } from '../../kernel/api/user-roles.js';
import {
  addCommand,
  type ConfigOption,
  type OperatorDeps,
  printFrom,
} from '../../kernel/commands/command.js';
import type { CommandGroup } from '../../kernel/commands/command-group.js';
import type { HomeConfig } from '../../kernel/configuration/home-config.js';
import { openDataKeys } from '../../security/open-data-keys.js';
import { keyedFingerprint } from '../../security/tokens/fingerprint.js';
import { RowSeal } from '../../security/vault/row-seal.js';
import { withSecurityModule } from '../../security/with-security-module.js';
import { invitationLink, listUsers } from './routes/user-routes.js';
import { userView } from './users/user-view.js';
import { findUser, type Invited, type Manager, Users } from './users/users.js';

/** Every role and what it allows, for `--help`. */
const ROLES_HELP = `
Roles:
${Object.entries(USER_ROLES)
  .map(([role, { allows }]) => `  ${role.padEnd(12)}${allows}`)
  .join('\n')}`;

/** What of the configuration the commands work with. */
type UserConfig = HomeConfig & { readonly transport: { readonly publicUrl?: string } };
type UserOption = ConfigOption<UserConfig>;

/** Commands of the feature. */
export const USER_COMMANDS: readonly CommandGroup[] = [
  {
    name: 'users',
    description: 'Users of the console: invite, list, give roles, reset, remove.',
    add: addUserCommands,
  },
];

/** `users invite | list | role | reset | sign-out | remove`. */
function addUserCommands(users: Command): void {
  addCommand(users, 'invite', 'Invite a person, or give a role to a user. Prints the link this once.')
    .requiredOption('--email <address>', 'by which the user signs in')
    .requiredOption('--name <text>', 'for people')
    .option('--entity <id>', 'the merchant (with its channels) or the channel of the role')
    .addOption(new Option('--role <role>', 'what the user may do there').choices(USER_ROLE_NAMES))
    .option('--operator', 'sees all merchants')
    .addHelpText('after', ROLES_HELP)
    .action((options: UserOption & InviteOptions) => withUsers(options, invite(options)));
  addCommand(users, 'list', 'List the users with their roles.').action((options: UserOption) =>
    printFrom(options, ({ store }) => listUsers(store, undefined)),
  );
  addCommand(
    users,
    'role <id>',
    'Set the role of a user for a merchant or channel, from the next request on.',
  )
    .requiredOption('--entity <id>', 'the merchant or channel')
    .addOption(
      new Option('--role <role>', '`none` takes it')
        .choices([...USER_ROLE_NAMES, 'none'])
        .makeOptionMandatory(),
    )
    .addHelpText('after', ROLES_HELP)
    .action((id: string, options: UserOption & { entity: string; role: UserRole | 'none' }) =>
      withUsers(options, async ({ service, manager }) =>
        userView(await service.setRole(manager, id, { entityId: options.entity, role: options.role })),
      ),
    );
  addCommand(
    users,
    'reset <id>',
    'Take password and codes of a user, and invite anew. Prints the link this once.',
  ).action((id: string, options: UserOption) =>
    withUsers(options, async ({ service, manager, shown }) => shown(await service.reset(manager, id))),
  );
  addCommand(users, 'sign-out <id>', 'Sign a user out everywhere.').action(
    (id: string, options: UserOption) =>
      withUsers(options, async ({ service, manager, store }) => {
        await service.signOut(manager, id);
        return viewOf(store, id);
      }),
  );
  addCommand(users, 'remove <id>', 'Remove a user: refused from the next request on.').action(
    (id: string, options: UserOption) =>
      withUsers(options, async ({ service, manager, store }) => {
        await service.remove(manager, id);
        return viewOf(store, id);
      }),
  );
}

interface InviteOptions {
  readonly email: string;
  readonly name: string;
  readonly entity?: string;
  readonly role?: UserRole;
  readonly operator?: true;
}

/** What a command on users works with. */
interface UserCommand extends OperatorDeps {
  readonly service: Users;
  readonly manager: Manager;
  /** What is printed of an invited user. */
  readonly shown: (invited: Invited) => Promise<object>;
}

function invite({ email, name, entity, role, operator }: InviteOptions) {
  return async ({ service, manager, shown }: UserCommand): Promise<object> => {
    const roles = entity !== undefined && role !== undefined ? { role: { entityId: entity, role } } : {};
    return shown(await service.invite(manager, { email, name, isOperator: operator === true, ...roles }));
  };
}

/** Prints what a command on users returns. Who can read the keys of the home may do everything. */
async function withUsers(
  options: UserOption,
  work: (command: UserCommand) => Promise<object | undefined>,
): Promise<void> {
  const config = options.readConfig();
  await printFrom({ ...options, readConfig: () => config }, (deps) =>
    withSecurityModule(config, async (module) => {
      const { ring, fingerprintKey } = await openDataKeys(module, deps);
      const fingerprint = keyedFingerprint(fingerprintKey);
      const service = new Users({ ...deps, fingerprint, rowSeal: new RowSeal(ring) });
      const manager = { actor: deps.actor, isOperator: true, owners: [] };
      const shown = async ({ user, invitation }: Invited) => ({
        user: await viewOf(deps.store, user.id),
        ...(invitation && { link: invitationLink(config.transport.publicUrl, invitation) }),
      });
      return work({ ...deps, service, manager, shown });
    }),
  );
}

async function viewOf(store: OperatorDeps['store'], id: string): Promise<object | undefined> {
  const found = await findUser(store, id);
  return found && userView(found, undefined, await store.get('userInvitations', [id]));
}
