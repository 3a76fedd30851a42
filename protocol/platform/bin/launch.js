import { existsSync } from 'node:fs';

/** How often a program that npm has started looks whether npm is still there, in milliseconds. */
const PARENT_CHECK_MS = 500;

/** The oldest Node.js that runs the programs, as `engines` of their packages has it. */
export const OLDEST_NODE = '20.19';

/** What to do about a Node.js that is too old; undefined where it will do. */
export function nodeProblem(program, version) {
  const [major, minor] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE.split('.').map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  return `${program} needs Node.js ${OLDEST_NODE} or later, and this is ${version}: install a newer one, or the package of ${program}, which has its own`;
}

/** Starts a program, or prints how to build it. Its launcher, not its built file, is what npm links: at the install nothing is built yet. */
export async function launch(program, main) {
  const problem = nodeProblem(program, process.versions.node);
  if (problem !== undefined) {
    process.stderr.write(`${problem}\n`);
    process.exitCode = 2;
    return;
  }
  if (process.env.npm_command === 'exec') endWithParent();
  if (existsSync(main)) return void (await import(main.href));
  process.stderr.write(
    `${program} is not built yet: run npm start, or npm run build, in the folder of the repository\n`,
  );
  process.exitCode = 2;
}

/** npx signals the shell between it and the program, and that shell ends without its child. A program that becomes an orphan ends as by that signal. */
function endWithParent() {
  const parent = process.ppid;
  const look = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(look);
    process.kill(process.pid, 'SIGTERM');
  }, PARENT_CHECK_MS);
  look.unref();
}
