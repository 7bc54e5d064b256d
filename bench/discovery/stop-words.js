// The words that a plain search ignores.
export const stopWords = new Set(
  (
    'a an and are as at be by can do for from has have how i if in into is it its like me my need of on or our please so ' +
    'that the their them then there these this to up us using via want was we what when where which who will with you your'
  ).split(' '),
);
