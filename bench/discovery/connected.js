// Requests with the toolkits that their callers have connected: the right ones and some others, the same in every run.
import { draw, numbersFrom } from './random.js';

const seed = 20_261_122;

/** Adds `connected` to each request: `others` toolkits drawn from all, or from those that the requests need. */
export function withConnected(tools, requests, from, others = 9) {
  const appOf = new Map(tools.map(({ id, toolkit }) => [id, toolkit]));
  const appsOf = ({ relevant }) => [...new Set(relevant.map((id) => appOf.get(id)).filter(Boolean))];
  const named = from === 'all' ? [...appOf.values()] : requests.flatMap(appsOf);
  const apps = [...new Set(named)].sort();
  const below = numbersFrom(seed);
  return requests.map((request) => {
    const right = appsOf(request);
    return { ...request, connected: [...right, ...draw(below, apps, others, right)] };
  });
}

/** The ways to tell the index what is connected. */
export const ways = {
  'context connected': (connected) => ({ context: { connected } }),
  'context granted and connected': (connected) => ({ context: { granted: connected, connected } }),
  toolkits: (connected) => ({ toolkits: connected }),
};
