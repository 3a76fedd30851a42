export { PLAIN, type Style, styleFor } from '@tillbridge/platform/command-line/style.js';
