import { createApp } from "vue";
import Counter from "./Counter.vue";

createApp(Counter).mount("#app");
