// Access to SQLite is the store's: commands take the copy of a file from here.
export { backupFile } from '@tillbridge/platform/sqlite/backup-file.js';
