/**
 * Parses a model's arguments from text. Text that is not JSON is passed on unchanged: the plane refuses it, tells the model
 * how to correct it, and records the refusal.
 */
export function parseArguments(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
