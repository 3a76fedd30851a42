import { describeKillJourney } from './kill-journey.js';

describeKillJourney('gateway');
