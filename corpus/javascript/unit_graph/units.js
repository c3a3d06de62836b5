// Each line relates two units: 1 of the first is `factor` of the second, then `shift` is added.
module.exports = [
  ['km', 'm', 1000],
  ['m', 'cm', 100],
  ['inch', 'cm', 2.54],
  ['foot', 'inch', 12],
  ['mile', 'foot', 5280],
  ['kg', 'g', 1000],
  ['pound', 'g', 453.59237],
  ['pound', 'ounce', 16],
  ['celsius', 'fahrenheit', 1.8, 32],
  ['kelvin', 'celsius', 1, -273.15],
  ['hour', 'minute', 60],
  ['minute', 'second', 60],
];
