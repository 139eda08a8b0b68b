import { child, childIf, type Fields } from "../../apimachinery/fields.ts";

/** A metric of autoscaling/v2 as autoscaling/v1 keeps it in an annotation, its fields in Go's order. */
export function oldMetric(metric: Fields): Fields {
  return converted(metric, {
    resource: ({ name, target }) => ({ name, ...oldTarget(target) }),
    pods: ({ metric: of, target }) => ({
      metricName: of["name"],
      targetAverageValue: target["averageValue"] ?? "0",
      selector: of["selector"],
    }),
    object: ({ describedObject, metric: of, target }) => ({
      target: inGoOrder(describedObject),
      metricName: of["name"],
      targetValue: target["value"] ?? "0",
      selector: of["selector"],
      averageValue: target["averageValue"],
    }),
    external: ({ metric: of, target }) => ({
      metricName: of["name"],
      metricSelector: of["selector"],
      targetValue: target["value"],
      targetAverageValue: target["averageValue"],
    }),
    containerResource: ({ name, container, target }) => ({ name, ...oldTarget(target), container }),
  });
}

/** The way back. */
export function newMetric(metric: Fields): Fields {
  return converted(metric, {
    resource: ({ name, ...old }) => ({ name, target: newTarget(old) }),
    pods: ({ metricName: name, targetAverageValue = "0", selector }) => ({
      metric: { name, selector },
      target: { type: "AverageValue", averageValue: targetAverageValue },
    }),
    object: ({ target, metricName: name, targetValue = "0", selector, averageValue }) => ({
      describedObject: target,
      metric: { name, selector },
      target:
        averageValue === undefined
          ? { type: "Value", value: targetValue }
          : { type: "AverageValue", value: targetValue === "0" ? undefined : targetValue, averageValue },
    }),
    external: ({ metricName: name, metricSelector: selector, targetValue: value, targetAverageValue }) => ({
      metric: { name, selector },
      target: { type: value === undefined ? "AverageValue" : "Value", value, averageValue: targetAverageValue },
    }),
    containerResource: ({ name, container, ...old }) => ({ name, container, target: newTarget(old) }),
  });
}

/** What a metric has reached, as autoscaling/v1 keeps it in an annotation. */
export function oldMetricStatus(metric: Fields): Fields {
  const average = ({ averageValue = "0", averageUtilization }: Fields): Fields => ({
    currentAverageUtilization: averageUtilization,
    currentAverageValue: averageValue,
  });
  return converted(metric, {
    resource: ({ name, current }) => ({ name, ...average(current) }),
    pods: ({ metric: of, current }) => ({
      metricName: of["name"],
      currentAverageValue: current["averageValue"] ?? "0",
      selector: of["selector"],
    }),
    object: ({ describedObject, metric: of, current }) => ({
      target: inGoOrder(describedObject),
      metricName: of["name"],
      currentValue: current["value"] ?? "0",
      selector: of["selector"],
      averageValue: current["averageValue"],
    }),
    external: ({ metric: of, current }) => ({
      metricName: of["name"],
      metricSelector: of["selector"],
      currentValue: current["value"] ?? "0",
      currentAverageValue: current["averageValue"],
    }),
    containerResource: ({ name, container, current }) => ({ name, ...average(current), container }),
  });
}

/** The way back. */
export function newMetricStatus(metric: Fields): Fields {
  const average = ({ currentAverageUtilization, currentAverageValue = "0" }: Fields): Fields => ({
    averageUtilization: currentAverageUtilization,
    averageValue: currentAverageValue,
  });
  return converted(metric, {
    resource: ({ name, ...old }) => ({ name, current: average(old) }),
    pods: ({ metricName: name, currentAverageValue = "0", selector }) => ({
      metric: { name, selector },
      current: { averageValue: currentAverageValue },
    }),
    object: ({ target, metricName: name, currentValue = "0", selector, averageValue }) => ({
      describedObject: target,
      metric: { name, selector },
      current: { value: currentValue, averageValue },
    }),
    external: ({ metricName: name, metricSelector: selector, currentValue = "0", currentAverageValue }) => ({
      metric: { name, selector },
      current: { value: currentValue, averageValue: currentAverageValue },
    }),
    containerResource: ({ name, container, ...old }) => ({ name, container, current: average(old) }),
  });
}

type Source = Fields & Readonly<Record<"describedObject" | "metric" | "target" | "current", Fields>>;

/** The source that a metric has, in its other form. */
function converted(metric: Fields, forms: Readonly<Record<string, (source: Source) => Fields>>): Fields {
  const result: Fields = { type: metric["type"] };
  for (const [name, convert] of Object.entries(forms)) {
    const source = childIf(metric, name);
    if (!source) continue;
    const whole = { ...source };
    for (const part of ["describedObject", "metric", "target", "current"]) child(whole, part);
    result[name] = dropped(convert(whole as Source));
  }
  return result;
}

function oldTarget({ averageUtilization, averageValue }: Fields): Fields {
  return { targetAverageUtilization: averageUtilization, targetAverageValue: averageValue };
}

function newTarget({ targetAverageUtilization, targetAverageValue }: Fields): Fields {
  return {
    type: targetAverageUtilization === undefined ? "AverageValue" : "Utilization",
    averageValue: targetAverageValue,
    averageUtilization: targetAverageUtilization,
  };
}

function inGoOrder({ kind, name, apiVersion }: Fields): Fields {
  return { kind, name, apiVersion };
}

/** The same without what is not there. */
function dropped(fields: Fields): Fields {
  return JSON.parse(JSON.stringify(fields)) as Fields;
}
