import { escapeControl, sandboxContract } from './testing/sandbox-contract.js';

sandboxContract('worker');
escapeControl();
