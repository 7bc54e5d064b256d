/**
 * A model's arguments as text. What is no JSON is passed on as it is: the plane refuses it, tells the model how to get it
 * right, and has it in its record.
 */
export function parseArguments(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
