#!/usr/bin/env node
import { launch } from '@tillbridge/platform/bin/launch.js';

await launch('tillbridge-agent', new URL('../dist/bundle/main.js', import.meta.url));
