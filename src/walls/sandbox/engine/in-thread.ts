/** The main module of a thread: answers each message with one turn. */
import { parentPort } from 'node:worker_threads';
import type { ToGuest } from '../messages.js';
import { createRoom } from './room.js';

const room = createRoom();
parentPort?.on('message', async (message: ToGuest) => {
  parentPort?.postMessage(await room.answer(message));
});
